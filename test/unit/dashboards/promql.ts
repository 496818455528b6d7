/** The parts of a query, and those of a PromQL query, by the parser of Prometheus' own editor. */
import { parser } from "@prometheus-io/lezer-promql";
import { expandMacros, unquote } from "../../support/expand";

type SyntaxNode = ReturnType<typeof parser.parse>["topNode"];

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
    super(query, parser);
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
export function all(node: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((inner) => {
    if (inner.name === name) found.push(inner.node);
  });
  return found;
}
