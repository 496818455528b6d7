/** The report shows no user name or password of a URL, and says where they change. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/report/json";
import { parsePreview } from "../../../src/report/parse-preview";
import { renderReport } from "../../../src/report/render";
import { dashboardStep, preview, step } from "./steps";

const type = "grafana:oss/dataSource:DataSource";
const report = (...steps: unknown[]) => renderReport([parsePreview(preview(...steps))]).markdown;
const linesOf = (...steps: unknown[]) =>
  report(...steps)
    .trim()
    .split("\n")
    .slice(3);
const changed = (before: Record<string, Json>, after: Record<string, Json>) => linesOf(step({ type, before, after }));

describe("the URL of a datasource", () => {
  it("is shown without credentials", () => {
    expect(changed({ url: "http://u:p@ss@h/x" }, { url: "http://h/y" })).toEqual(["  - url `http://[secret]@h/x` → `http://h/y`"]);
    const url = "https://metrics.example.com/prometheus";
    expect(changed({ url }, { url: url.replace("//", "//u:p@") })).toEqual(["  - url `https://` **`[secret]@`** `metrics.example.com/…`"]);
    expect(changed({ x: 1 }, { x: 1, url: "http://u:p@h/x" })).toEqual(["  - url set to `http://[secret]@h/x`"]);
  });

  it("with other credentials: the report says that they changed", () => {
    const expected = ["  - the credentials in url changed"];
    expect(changed({ url: "http://u:p@h/x" }, { url: "http://u:q@h/x" })).toEqual(expected);
    const long = (login: string) => ({ url: `http://${login}@h/${"x".repeat(100)}` });
    expect(changed(long("u:p"), long("u:q"))).toEqual(expected);
    const data = (login: string) => ({ jsonDataEncoded: JSON.stringify({ all: [`http://${login}@h`, { url: `http://${login}@h` }] }) });
    expect(changed(data("u:p"), data("u:q"))).toEqual([
      "  - the credentials in `jsonDataEncoded.all[1]` changed",
      "  - the credentials in `jsonDataEncoded.all[2].url` changed",
    ]);
  });

  it("with credentials edited by hand is the same URL", () => {
    const url = (login: string) => ({ url: `http://${login}@h/x` });
    const update = step({ type, before: url("u:p"), after: url("u:p"), more: { diffReasons: ["url"] } });
    const found = (login: string) =>
      linesOf({ ...update, op: "refresh" }, { ...update, oldState: { ...update.oldState, outputs: url(login) } });
    expect(found("u:q")).toEqual(["  - changed outside of Pulumi, will be reverted: the credentials in url changed"]);
  });
});

describe("no report contains", () => {
  // The limit of a text's length is within the second one.
  const logins = ["canary:canary", `canary-${"x".repeat(90)}:canary`, "canary%40a:p@canary"];
  const model = (text: string): Json => ({
    title: text,
    description: `See ${text}`,
    tags: [text],
    [text]: text,
    links: [{ title: text, url: text }],
    templating: { list: [{ name: text, query: text }] },
    panels: [
      { type: "row", title: text },
      {
        type: "text",
        title: "Text",
        description: text,
        options: { content: `at ${text}/long/enough/to/be/compared`, [text]: 1 },
        targets: [{ expr: text }],
      },
      { type: text, title: `${text}/${text.length}` },
      { type: "stat", targets: [{ expr: `${text}/${text.length}` }] },
    ],
  });

  it.each(logins)("%s", (login) => {
    const text = `https://${login}@h.example`;
    const more = `${text.replace("https", "http")}/more`;
    const values = (some: string) => ({
      url: some,
      name: some,
      list: [some, { [some]: some }],
      data: JSON.stringify({ deep: [some] }),
      [some]: some,
    });
    for (const [before, after] of [
      [text, more],
      [text, "none"],
      ["none", text],
      [text, text.replaceAll("canary", "canary-new")],
    ] as const) {
      const steps = ["create", "update", "replace", "delete"].flatMap((op) => [
        step({ op, type, name: `${op}${before}`, before: values(before), after: values(after), more: { diffReasons: [before] } }),
        step({ op, type: "pulumi-nodejs:dynamic/x:Connection", name: op, before: { serviceUrl: before }, after: { serviceUrl: after } }),
        step({ op, name: op, before: { configJson: JSON.stringify(model(before)) }, after: { configJson: JSON.stringify(model(after)) } }),
      ]);
      const diagnostics = ["error", "warning"].map((severity) => ({ severity, message: `Get "${text}/api": refused\n${text}` }));
      for (const some of [steps, steps.slice(3, 5)]) {
        const { markdown, full } = renderReport([parsePreview(JSON.stringify({ steps: some, diagnostics }))]);
        expect(markdown + full).not.toContain("canary");
      }
    }
  });
});

it("a dashboard's texts with other credentials: the report says that they changed", () => {
  const model = (login: string): Json => ({
    links: [{ title: "Runbook", url: `https://${login}@h` }],
    panels: [
      { type: "text", title: "Text", description: `At https://${login}@h, as ever`, targets: [{ query: `https://${login}@h` }] },
      { type: "text", title: `At https://${login}@h`, description: "x", targets: [{ query: "y" }] },
    ],
  });
  expect(linesOf(dashboardStep(model("u:p"), model("u:q")))).toEqual([
    "  1. the credentials in `links[Runbook].url` changed",
    "  2. **`Text`**: the credentials in description changed; the credentials in `query 1` changed",
    "  3. **`At https://[secret]@h`**: the credentials in title changed",
  ]);
});
