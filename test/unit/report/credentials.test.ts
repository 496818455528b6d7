/** The report shows no user name or password of a URL, and says where they change. */
import { expect, it } from "vitest";
import type { Json } from "../../../src/report/json";
import { parsePreview } from "../../../src/report/parse-preview";
import { renderReport } from "../../../src/report/render";
import { changesOf, failedPreview } from "./everywhere";
import { dashboardStep, linesOf, step, type Values } from "./steps";

const type = "grafana:oss/dataSource:DataSource";
const url = (login: string, rest = "x") => ({ url: `http://${login}h/${rest}` });
const data = (login: string) => ({ jsonDataEncoded: JSON.stringify({ all: [`http://${login}@h`, { url: `http://${login}@h` }] }) });
const other = "  - the credentials in url changed";
const long = "x".repeat(100);

it.each<[what: string, before: Values, after: Values, lines: string[]]>([
  ["removed from a URL", url("u:p@ss@"), url("", "y"), ["  - url `http://[secret]@h/x` → `http://h/y`"]],
  [
    "added to a long URL",
    url("", long),
    url("u:p@", long),
    [`  - url \`http://\` **\`[secret]@\`** \`h/${"x".repeat(38)}…${"x".repeat(40)}\``],
  ],
  ["of a new URL", {}, url("u:p@"), ["  - url set to `http://[secret]@h/x`"]],
  ["others in a long URL", url("u:p@", long), url("u:q@", long), [other]],
  ["others in JSON", data("u:p"), data("u:q"), ["all[1]", "all[2].url"].map((at) => other.replace("url", `\`jsonDataEncoded.${at}\``))],
])("credentials, %s", (_what, before, after, lines) => {
  expect(linesOf([step({ type, before, after })]).slice(1)).toEqual(lines);
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
  expect(linesOf([dashboardStep(model("u:p"), model("u:q"))]).slice(1)).toEqual([
    "  1. the credentials in `links[Runbook].url` changed",
    "  2. **`Text`**: the credentials in description changed; the credentials in `query 1` changed",
    "  3. **`At https://[secret]@h`**: the credentials in title changed",
  ]);
});
