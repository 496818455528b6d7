/** Expands the templates of alerts as Go's `text/template` does with Grafana's and with Prometheus' data. It knows only what this project's texts have. */

type Values = { value: number | undefined; labels: Readonly<Record<string, string>>; dialect: "grafana" | "prometheus" };

/** @param value of the query; Grafana also expands texts without one */
export function expandTemplate(template: string, dialect: Values["dialect"], value: number | undefined, labels: Values["labels"]): string {
  const values = { value, labels, dialect };
  const conditional = /\{\{ if (.*?) \}\}(.*?)\{\{ else \}\}(.*?)\{\{ end \}\}/g;
  return template
    .replace(conditional, (_, test: string, yes: string, no: string) => (holds(test, values) ? yes : no))
    .replace(/\{\{ (.*?) \}\}/g, (_, action: string) => output(action, values));
}

const nameOf = (dialect: Values["dialect"]) => (dialect === "grafana" ? "$values.A.Value" : "$value");

/** A comparison with a missing value is an error, which `and` does not reach. */
function holds(test: string, { value, dialect }: Values): boolean {
  const [, guard, name, limit] = /^(and \$values\.A )?\(?lt (\S+) (1e300)\)?$/.exec(test) ?? [];
  if (name !== nameOf(dialect) || (guard && dialect === "prometheus")) throw new Error(`unknown condition: ${test}`);
  if (value !== undefined) return value < Number(limit);
  if (guard) return false;
  throw new Error("error calling lt: invalid type for comparison");
}

function output(action: string, { value, labels, dialect }: Values): string {
  const [, label, otherwise] = /^or \$labels\.(\w+) "(.*)"$/.exec(action) ?? [];
  if (label) return labels[label] || (otherwise ?? "");
  const [name, filter = ""] = action.split(" | ");
  if (name !== nameOf(dialect) || !/^(humanize(Percentage|Duration)?|printf "%\.[12]f (USD|times)")$/.test(filter))
    throw new Error(`unknown action: ${action}`);
  if (value === undefined) throw new Error("can't convert <nil> to float");
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : "+Inf";
  return filter === "humanizePercentage"
    ? `${100 * value}%`
    : filter
        .replace(/^printf "%\.(\d)f (\w+)"$/, (_, digits, unit) => `${value.toFixed(Number(digits))} ${unit}`)
        .replace(/^humanize.*/, String(value));
}
