/** Links of panels: Grafana writes the variables in them when somebody follows one. */
import { maxTraces, spansPerTrace } from "./defaults";
import { tracesDatasource } from "./head";

/** A link of a value, with the text that Grafana shows where a value has several. */
export type DataLink = { title: string; url: string; targetBlank?: boolean };

/** The name of a row, in its first column, and of a series. */
export const rowName = "${__data.fields[0].text:percentencode}";
export const seriesName = "${__field.displayName:percentencode}";

/** The time of a point of a graph. */
export const pointTime = "${__value.time}";

/**
 * Explore with spans, newest first.
 *
 * @param query TraceQL, with variables
 * @param to the end of the range, which begins with that of the dashboard
 */
export function exploreSpans(title: string, query: string, to = "${__to}"): DataLink {
  const results = { tableType: "spans", limit: maxTraces, spss: spansPerTrace };
  const target = { refId: "A", datasource: tracesDatasource, queryType: "traceql", query, ...results };
  const panes = { spans: { datasource: tracesDatasource.uid, queries: [target], range: { from: "${__from}", to } } };
  return { title, url: `/explore?schemaVersion=1&panes=${encoded(JSON.stringify(panes))}`, targetBlank: true };
}

/** Percent-encoded, except for variables. */
const encoded = (text: string) =>
  text
    .split(/(\$\{[^}]*\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join("");

/** The same dashboard with one value of a variable: a click on a name selects it. The time range and the other variables stay. */
export const selecting = (uid: string, variable: string, others: readonly string[]): DataLink => ({
  title: "Select",
  url: [
    `/d/${uid}?\${__url_time_range}`,
    ...others.map((name) => `\${${name}:queryparam}`),
    `var-${variable}=\${__value.text:percentencode}`,
  ].join("&"),
});
