/** Previews with a text in every place that a person or a server can write. */
import type { Json } from "../../../src/report/json";
import { preview, recordingRules, ruleGroupType, step, type Values } from "./steps";

/** A model with a text in every field. One panel has the same title in each model, so that the changes within it are described. */
const modelOf = (text: (place: string) => string): Json => ({
  title: text("title"),
  tags: [text("tag")],
  links: [{ title: text("link"), url: text("url") }],
  templating: { list: [{ name: text("variable"), query: text("variable's query") }] },
  [`x${text("key")}`]: text("value"),
  panels: [
    { id: 1, type: "row", title: text("row"), gridPos: { x: 0, y: 0, w: 24, h: 1 } },
    {
      id: 2,
      type: text("type"),
      title: "Panel",
      description: text("description"),
      datasource: { type: "prometheus", uid: text("datasource") },
      targets: [{ refId: text("refId"), expr: text("expr"), legendFormat: text("legend") }, { refId: "B" }],
      options: { [text("option")]: text("option's value") },
      fieldConfig: { defaults: { unit: text("unit"), thresholds: { steps: [{ color: text("color"), value: 5 }] } } },
    },
    { id: 3, type: text("other type"), title: text("panel"), targets: [{ expr: text("other expr") }] },
    { id: 4, type: text("untitled"), targets: [{ expr: text("last expr") }] },
  ],
});

const resources: [type: string | undefined, (text: string) => Values][] = [
  [undefined, (text) => ({ url: text, name: text, list: [text, { [text]: text }], data: JSON.stringify({ deep: [text] }), [text]: text })],
  ["pulumi-nodejs:dynamic/x:Connection", (text) => ({ serviceUrl: text })],
  [ruleGroupType, (text) => recordingRules({ [text]: text, a: text })],
  ["grafana:oss/dashboard:Dashboard", (text) => ({ configJson: JSON.stringify(modelOf((at) => `${text} ${at}`)) })],
];

/** Changes from one text to another: each operation of each kind of resource. The last one is that of a dashboard. */
export const changesOf = (before: string, after: string, type = "a:b:C") =>
  ["create", "update", "replace", "delete", "import"].flatMap((op) =>
    resources.map(([known = type, of]) =>
      step({ op, type: known, name: `${op}${after}`, before: of(before), after: of(after), more: { diffReasons: [before] } }),
    ),
  );

/** A preview that failed with these texts in its messages. */
export const failedPreview = (steps: readonly unknown[], before: string, after: string) => {
  const error = { severity: "error", message: `Get "${before}/api": refused\n${after}` };
  return JSON.stringify({ ...JSON.parse(preview(...steps)), diagnostics: [error, { severity: "warning", message: after }] });
};
