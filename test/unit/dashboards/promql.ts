/** What a PromQL query reads and does, taken from its syntax tree. */
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

/** One call of `label_replace`, without the vector. */
export interface LabelReplace {
  to: string;
  replacement: string;
  from: string;
  regex: string;
}

/** A query, with Grafana's macros expanded so that it can be parsed. Variables stand inside of string literals and stay. */
export class PromQL {
  readonly text: string;
  private readonly top: SyntaxNode;

  constructor(query: string) {
    this.text = expandMacros(query);
    this.top = parser.parse(this.text).topNode;
  }

  /** Errors of the grammar, with what stands there. */
  get errors(): string[] {
    return errorsIn(this.top, this.text);
  }

  /** The kinds of all nodes in their order: what the query is, whatever its names and values are. */
  get shape(): string[] {
    const names: string[] = [];
    this.top.cursor().iterate(({ name }) => {
      names.push(name);
    });
    return names;
  }

  selectors(within: SyntaxNode = this.top): Selector[] {
    return all(within, "VectorSelector").map((node) => ({
      series: this.of(node.getChild("Identifier")),
      matchers: all(node, "UnquotedLabelMatcher").map((matcher) => ({
        label: this.of(matcher.getChild("LabelName")),
        op: this.of(matcher.getChild("MatchOp")),
        value: unquote(this.of(matcher.getChild("StringLiteral"))),
      })),
    }));
  }

  /** String literals as they stand. */
  literals(): string[] {
    return all(this.top, "StringLiteral").map((node) => this.of(node));
  }

  /** Names of the series, each once, sorted. */
  series(within?: SyntaxNode): string[] {
    return [...new Set(this.selectors(within).map(({ series }) => series))].sort();
  }

  /** Names of functions and aggregations, each once, sorted. */
  functions(within: SyntaxNode = this.top): string[] {
    const nodes = [...all(within, "FunctionIdentifier"), ...all(within, "AggregateOp")];
    return [...new Set(nodes.map((node) => this.of(node)))].sort();
  }

  /**
   * The windows of matrix selectors and of subqueries, each once. A subquery that is shifted, or inside of another one, looks for older values, as
   * does the last value inside of a subquery.
   */
  windows(): string[] {
    const subqueries = all(this.top, "SubqueryExpr").filter((node) => node.parent?.name !== "OffsetExpr" && !within(node, "SubqueryExpr"));
    const looksBack = (node: SyntaxNode) => within(node, "SubqueryExpr") && this.text.slice(0, node.from).endsWith("last_over_time(");
    const matrices = all(this.top, "MatrixSelector").filter((node) => !looksBack(node));
    return [...new Set([...matrices, ...subqueries].map((node) => this.of(node.getChild("DurationExpr"))))];
  }

  /**
   * Selectors that are read at one instant, without a window or an offset: what a counter shows there says nothing about the time range. As the
   * first choice before its last value in a window, it is that window's end, and so it is where nothing else that reads that value has a result.
   */
  instants(): string[] {
    const shifted = ["MatrixSelector", "SubqueryExpr", "OffsetExpr"];
    const ends = (node: SyntaxNode) => {
      if (!node.parent?.getChild("Or")) return false;
      const { firstChild, lastChild } = node.parent;
      const value = `last_over_time(${this.of(node)}[`;
      return lastChild?.from === node.from ? this.of(firstChild).includes(value) : this.of(lastChild).startsWith(value);
    };
    return all(this.top, "VectorSelector")
      .filter((node) => !shifted.includes(node.parent?.name ?? "") && !ends(node))
      .map((node) => this.of(node));
  }

  /** Both sides of each division of series; one of two numbers is none. */
  divisions(): { numerator: SyntaxNode; denominator: SyntaxNode }[] {
    return all(this.top, "BinaryExpr").flatMap((node) => {
      const [numerator, denominator] = [node.firstChild, node.lastChild];
      return node.getChild("Div") && numerator && denominator && typeOf(node) !== "scalar" ? [{ numerator, denominator }] : [];
    });
  }

  /** What `topk` is asked for. */
  limits(): number[] {
    return all(this.top, "AggregateExpr")
      .filter((node) => this.of(node.getChild("AggregateOp")) === "topk")
      .map((node) => Number(this.of(node.getChild("FunctionCallBody")?.getChild("Expr") ?? null)));
  }

  /** Calls of `label_replace` in the order in which they are evaluated: inner ones first. */
  labelReplaces(): LabelReplace[] {
    return all(this.top, "FunctionCall")
      .filter((node) => this.of(node.getChild("FunctionIdentifier")) === "label_replace")
      .map((node) => {
        const texts = node.getChild("FunctionCallBody")?.getChildren("StringLiteral") ?? [];
        const [to = "", replacement = "", from = "", regex = ""] = texts.map((text) => unquote(this.of(text)));
        return { to, replacement, from, regex };
      })
      .reverse();
  }

  /** The labels that are grouped by, traced through `label_replace` to the labels of the series. */
  groupedBy(): string[] {
    const labels = all(this.top, "GroupingLabels")
      .filter(({ parent }) => parent?.name === "AggregateModifier" && parent.getChild("By"))
      .flatMap((node) => node.getChildren("LabelName").map((name) => this.of(name)));
    return [...new Set(labels.flatMap((label) => this.origin(label)))].sort();
  }

  /** The labels of the series that a label is made of. */
  origin(label: string): string[] {
    const sources = this.labelReplaces().filter(({ to, from }) => to === label && from !== label && from !== "");
    return sources.length === 0 ? [label] : [...new Set(sources.flatMap(({ from }) => this.origin(from)))];
  }

  /** Arguments of the wrong type, by the signatures of Prometheus. */
  typeErrors(): string[] {
    return all(this.top, "FunctionCallBody").flatMap((body) => {
      const name = this.of(body.parent?.firstChild ?? null);
      const expected = signatures[name];
      if (!expected) return [`${name}: no signature in the test's table`];
      const actual = body.getChildren("Expr").map(typeOf);
      const fits = expected.some((types) => types.join() === actual.join());
      return fits ? [] : [`${name}(${actual.join(", ")})`];
    });
  }

  private of(node: SyntaxNode | null): string {
    return node ? this.text.slice(node.from, node.to) : "";
  }
}

/** Whether the node stands somewhere inside of one of that name. */
function within({ parent }: SyntaxNode, name: string): boolean {
  return parent !== null && (parent.name === name || within(parent, name));
}

/** Every node of one name, outer ones first. */
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

type ValueType = "scalar" | "string" | "vector" | "matrix";

const overTime: ValueType[][] = [["matrix"]];
const aggregation: ValueType[][] = [["vector"]];

/** Types of the arguments of the functions in use (prometheus.io/docs/prometheus/latest/querying/functions). */
const signatures: Record<string, ValueType[][]> = {
  ...Object.fromEntries(["sum", "avg", "count", "min", "max", "group", "sort", "sort_desc", "scalar"].map((name) => [name, aggregation])),
  ...Object.fromEntries(["sum", "count", "min", "max", "last", "first", "present"].map((name) => [`${name}_over_time`, overTime])),
  ...Object.fromEntries(["increase", "rate", "irate", "resets", "changes", "delta"].map((name) => [name, overTime])),
  topk: [["scalar", "vector"]],
  bottomk: [["scalar", "vector"]],
  vector: [["scalar"]],
  clamp_min: [["vector", "scalar"]],
  clamp_max: [["vector", "scalar"]],
  round: [["vector"], ["vector", "scalar"]],
  label_replace: [["vector", "string", "string", "string", "string"]],
};

function typeOf(node: SyntaxNode): ValueType {
  const inner = () => node.getChildren("Expr");
  switch (node.name) {
    case "NumberDurationLiteral":
      return "scalar";
    case "StringLiteral":
      return "string";
    case "MatrixSelector":
    case "SubqueryExpr":
      return "matrix";
    case "ParenExpr":
    case "UnaryExpr":
    case "OffsetExpr":
    case "StepInvariantExpr":
      return inner().map(typeOf)[0] ?? "vector";
    case "BinaryExpr":
      return inner().every((side) => typeOf(side) === "scalar") ? "scalar" : "vector";
    case "FunctionCall":
      return node.getChild("FunctionIdentifier")?.firstChild?.name === "Scalar" ? "scalar" : "vector";
    default:
      return "vector";
  }
}
