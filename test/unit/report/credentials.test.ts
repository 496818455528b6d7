/** The report shows no user name or password of a URL, and says where they change. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/report/json";
import { parsePreview } from "../../../src/report/parse-preview";
import { renderReport } from "../../../src/report/render";
import { changesOf, failedPreview } from "./everywhere";
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

// The limit of a text's length is within the second one.
it.each(["canary:canary", `canary-${"x".repeat(90)}:canary`, "canary%40a:p@canary"])("no report contains %s", (login) => {
  const text = `https://${login}@h.example`;
  for (const [before, after] of [
    [text, `${text.replace("https", "http")}/more`],
    [text, "none"],
    ["none", text],
    [text, text.replaceAll("canary", "canary-new")],
  ] as const) {
    const changes = changesOf(before, after);
    for (const some of [changes, changes.slice(4, 7), changes.slice(7, 8)]) {
      const { markdown, full } = renderReport([parsePreview(failedPreview(some, before, after))]);
      expect(markdown + full).not.toContain("canary");
    }
  }
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
