/** The parts of a TraceQL query, by the parser of Grafana's own editor. */
import { parser } from "@grafana/lezer-traceql";
import { unquote } from "../../support/expand";
import { all, Query } from "./promql";

export type Condition = { field: string; op: string; value: string };

export class TraceQL extends Query {
  constructor(query: string) {
    super(query, parser);
  }

  /** Comparisons of a field with a value, strings without their quotes. */
  conditions(): Condition[] {
    return all(this.top, "FieldOp").flatMap((op) => {
      const [left, right] = [op.prevSibling, op.nextSibling];
      if (!left || !right) return [];
      const value = this.textOf(right);
      return [{ field: this.textOf(left), op: this.textOf(op), value: /^["`]/.test(value) ? unquote(value) : value }];
    });
  }

  /** All attributes with their scopes, without Tempo's intrinsic fields such as `status`. */
  attributes(): string[] {
    return all(this.top, "AttributeField").map((node) => this.textOf(node));
  }
}

/** Whether a value passes a condition. A character by its code is `\x{24}` in Go and `\u{24}` in JavaScript. */
export function passes({ op, value }: Pick<Condition, "op" | "value">, actual: string): boolean {
  if (op === "=") return actual === value;
  const isMatch = new RegExp(`^(?:${value.replace(/\\x\{/g, "\\u{")})$`, "su").test(actual);
  return op === "!~" ? !isMatch : op === "=~" && isMatch;
}
