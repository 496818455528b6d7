/** What a TraceQL query asks for, taken from its syntax tree. */
import { parser } from "@grafana/lezer-traceql";
import { expandMacros, unquote } from "../../support/expand";
import { all, errorsIn, type SyntaxNode } from "./promql";

export interface Condition {
  field: string;
  op: string;
  value: string;
}

export class TraceQL {
  private readonly text: string;
  private readonly top: SyntaxNode;

  constructor(query: string) {
    this.text = expandMacros(query);
    this.top = parser.parse(withoutEscapes(this.text)).topNode;
  }

  /** Errors of the grammar, with what stands there. */
  get errors(): string[] {
    return errorsIn(this.top, this.text);
  }

  /** String literals as they stand. */
  literals(): string[] {
    return all(this.top, "String").map((node) => this.of(node));
  }

  /** Comparisons of a field with a value. String values without their quotes. */
  conditions(): Condition[] {
    return all(this.top, "FieldOp").flatMap((op) => {
      const [left, right] = [op.prevSibling, op.nextSibling];
      if (!left || !right) return [];
      const value = this.of(right);
      return [{ field: this.of(left), op: this.of(op), value: /^["`]/.test(value) ? unquote(value) : value }];
    });
  }

  /** The attributes that are selected besides those that are shown anyway. */
  selected(): string[] {
    return [...new Set(all(this.top, "SelectOperation").flatMap((node) => all(node, "AttributeField").map((field) => this.of(field))))];
  }

  /** Every attribute, with its scope. Fields of Tempo's own, such as `status`, are none. */
  attributes(): string[] {
    return all(this.top, "AttributeField").map((node) => this.of(node));
  }

  private of(node: SyntaxNode): string {
    return this.text.slice(node.from, node.to);
  }
}

/** Whether a value passes a condition. Go writes a character by its code as `\x{24}`, where JavaScript writes `\u{24}`. */
export function passes({ op, value }: Condition, actual: string): boolean {
  if (op === "=") return actual === value;
  return op === "=~" && new RegExp(`^(?:${value.replace(/\\x\{/g, "\\u{")})$`, "su").test(actual);
}

/**
 * The grammar knows no escapes but those of quote and backslash, where Tempo knows all of Go's. So the others are covered up, each by as many
 * characters; what they stand for is read from the query itself.
 */
function withoutEscapes(query: string): string {
  return query.replace(/\\(?:u[0-9a-fA-F]{4}|[abfnrtv\\"])/g, (sign) => (/[\\"]$/.test(sign) ? sign : "_".repeat(sign.length)));
}
