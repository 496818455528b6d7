/** The parts of a PromQL query, by the parser of Prometheus' own editor. */
import { parser } from "@prometheus-io/lezer-promql";
import { expandMacros, unquote } from "../../support/expand";

export type SyntaxNode = ReturnType<typeof parser.parse>["topNode"];

export interface Matcher {
  label: string;
  op: string;
  value: string;
}

export interface Selector {
  series: string;
  matchers: Matcher[];
}

/** A query with expanded macros. Variables remain: they are inside of string literals. */
export class PromQL {
  readonly text: string;
  private readonly top: SyntaxNode;

  constructor(query: string) {
    this.text = expandMacros(query);
    this.top = parser.parse(this.text).topNode;
  }

  /** Syntax errors: the query with a mark at each. */
  get errors(): string[] {
    return errorsIn(this.top, this.text);
  }

  selectors(): Selector[] {
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

  private textOf(node: SyntaxNode | null): string {
    return node ? this.text.slice(node.from, node.to) : "";
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

export function errorsIn(node: SyntaxNode, text: string): string[] {
  const errors: string[] = [];
  node.cursor().iterate(({ type, from }) => {
    if (type.isError) errors.push(`${text.slice(0, from)}⚠${text.slice(from)}`);
  });
  return errors;
}
