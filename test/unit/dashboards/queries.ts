/** The parts of a query, and those of PromQL and TraceQL, by the parsers of the editors of Prometheus and Grafana. */
import { parser as traceql } from "@grafana/lezer-traceql";
import { parser as promql } from "@prometheus-io/lezer-promql";
import { expandMacros, unquote } from "../../support/expand";

type SyntaxNode = ReturnType<typeof promql.parse>["topNode"];

/** A query with expanded macros. Variables remain: they are inside of string literals. */
export class Query {
  private readonly text: string;
  protected readonly top: SyntaxNode;

  constructor(query: string, language: { parse(text: string): { topNode: SyntaxNode } }) {
    this.text = expandMacros(query);
    this.top = language.parse(this.text).topNode;
  }

  /** Syntax errors: the query with a mark at each. */
  get errors(): string[] {
    const errors: string[] = [];
    this.top.cursor().iterate(({ type, from }) => {
      if (type.isError) errors.push(`${this.text.slice(0, from)}⚠${this.text.slice(from)}`);
    });
    return errors;
  }

  protected textOf(node: SyntaxNode | null): string {
    return node ? this.text.slice(node.from, node.to) : "";
  }
}

export class PromQL extends Query {
  constructor(query: string) {
    super(query, promql);
  }

  selectors() {
    return all(this.top, "VectorSelector").map((node) => ({
      series: this.textOf(node.getChild("Identifier")),
      matchers: all(node, "UnquotedLabelMatcher").map((matcher) => ({
        label: this.textOf(matcher.getChild("LabelName")),
        op: this.textOf(matcher.getChild("MatchOp")),
        value: unquote(this.textOf(matcher.getChild("StringLiteral"))),
      })),
    }));
  }

  /** The labels by which the query groups, in all aggregations. */
  groupings(): string[] {
    return all(this.top, "GroupingLabels").flatMap((group) => group.getChildren("LabelName").map((name) => this.textOf(name)));
  }

  /** Names of the series, each once, sorted. */
  series(): string[] {
    return [...new Set(this.selectors().map(({ series }) => series))].sort();
  }
}

/** All nodes of one type, outer ones first. */
function all(node: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((inner) => {
    if (inner.name === name) found.push(inner.node);
  });
  return found;
}

export type Condition = { field: string; op: string; value: string };

export class TraceQL extends Query {
  constructor(query: string) {
    super(query, traceql);
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
