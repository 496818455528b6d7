/** Every panel is whole beside Grafana's docked menu in a window of 1280 pixels, in Grafana's own components: titles, numbers, donuts, columns. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { exampleA, exampleB, exampleC, shownOf } from "../../support/models";
import { type Browser, dockedMenu, openPage, openRows, startChromium } from "../../view/browser";
import { buildView } from "../../view/build";
import { type DashboardFile, framesToFile } from "../../view/reading/file";
import { prometheusFrames, prometheusTables, tempoFrames } from "../../view/reading/frames";
import type { Panel } from "../../view/reading/panel";

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});

afterAll(() => browser?.close());

const start = Date.UTC(2026, 0, 14, 12);

/** Failed spans with long names, as many as a table has: with a scroll bar for rows. All attributes of a table are columns. */
function framesOf(attributes: Record<string, string>) {
  const span = {
    spanID: "34bab0fb8342bafb",
    startTimeUnixNano: `${start}000000`,
    durationNanos: "112345678900",
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
  const trace = { traceID: "0123456789abcdef0123456789abcdef", startTimeUnixNano: `${start}000000`, spanSets: [{ spans: [span] }] };
  return framesToFile(tempoFrames(new Array(20).fill(trace), "A"));
}

const text = 'Where is the "blue" parcel? '.repeat(9);
const model = { "gen_ai.request.model": "text-embedding-3-small" };
const cost = { ...model, "gen_ai.usage.cost": "0.00000162" };
const ofB = { "gen_ai.application_name": "sales-copilot", "gen_ai.environment": "development" };
const contentsOfB = { "gen_ai.content.prompt": text, "gen_ai.content.completion": text };
const messages = JSON.stringify([
  { role: "system", parts: [{ content: "Be kind." }] },
  { role: "user", parts: [{ content: text }] },
]);
const contentsOfC = { "gen_ai.input.messages": messages, "gen_ai.output.messages": "text ".repeat(50) };
const tokens = { "gen_ai.usage.input_tokens": "128000", "gen_ai.usage.output_tokens": "16384" };
const ofC = { "service.name": "customer-support-assistant", status: "error" };
const modelOfC = { "gen_ai.request.model": "bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0" };
const database = { "db.system.name": "elasticsearch", "db.operation.name": "search", "db.collection.name": "knowledge-base" };

/** What the tables show, by dashboard and the panel's id. */
const tables: Record<string, Record<number, Record<string, string>>> = {
  [exampleB.uid]: { 17: { ...cost, ...ofB, ...contentsOfB }, 19: ofB },
  [exampleC.uid]: {
    42: { ...modelOfC, ...ofC, "error.type": "openai.RateLimitError", statusMessage: text },
    43: { ...modelOfC, ...ofC, ...tokens },
    34: { ...cost, ...modelOfC, ...ofC, ...contentsOfC, ...tokens, "gen_ai.operation.name": "generate_content" },
    36: { ...ofC, ...database, "error.type": "openai.RateLimitError" },
  },
};

/** Rows with long names and wide numbers. */
function rowsOf({ targets = [] }: Panel) {
  const wide = ["1234567", "0.1234", "99.999", "9.999", "12345678900", "0.999", "1234.5", "0.00000162"];
  const names = Array.from({ length: 15 }, (_, index) => `bedrock/us.anthropic.claude-sonnet-4-5-2025092${index}-v1:0`);
  const answers = targets.map(({ refId }, index) => {
    const result = names.map((model) => ({ metric: { model }, value: [start / 1000, wide[index] as string] as [number, string] }));
    return prometheusFrames({ resultType: "vector", result }, { refId, expr: "x", step: 0 });
  });
  return framesToFile(prometheusTables(answers));
}

/** One small cost, no errors, one large number, or four series with a long name. */
function numbersOf({ type, fieldConfig }: Panel) {
  const value = { currencyUSD: "0.00000214", percentunit: "0" }[fieldConfig?.defaults.unit ?? ""] ?? "12345678";
  const names = type === "stat" ? ["one"] : ["customer-support-assistant", "b", "c", "d"];
  const result = names.map((name) => ({ metric: { name }, value: [start / 1000, value] as [number, string] }));
  return framesToFile(prometheusFrames({ resultType: "vector", result }, { refId: "A", expr: "x", legendFormat: "{{name}}", step: 0 }));
}

function fileOf(model: typeof exampleA): DashboardFile {
  const filled = shownOf(model).flatMap((panel): [number, DashboardFile["panels"][string]][] => {
    const spans = tables[model.uid]?.[panel.id];
    if (spans) return [[panel.id, framesOf(spans)]];
    if (panel.targets?.[0]?.format === "table") return [[panel.id, rowsOf(panel)]];
    return ["stat", "piechart"].includes(panel.type) ? [[panel.id, numbersOf(panel)]] : [];
  });
  return { model, range: { from: start - 60_000, to: start + 60_000 }, timeZone: "utc", selected: {}, panels: Object.fromEntries(filled) };
}

/** What is wrong with panels, and the first row of each table. Read by the browser. */
const measure = `() => {
  const [problems, rows] = [[], {}];
  // Numbers are cut on the left.
  const isCut = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const [text, place] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
    return text.left < place.left || text.right > place.right;
  };
  for (const panel of document.querySelectorAll("[data-panel-id]")) {
    const { panelId, panelType } = panel.dataset;
    const check = (isWrong, what) => isWrong && problems.push(panelId + ": " + what);
    for (const title of panel.querySelectorAll("h2")) check(title.scrollWidth > title.clientWidth, "cut title");
    for (const number of panelType === "stat" ? panel.querySelectorAll("section span") : []) {
      const range = document.createRange();
      range.selectNodeContents(number);
      check(range.getBoundingClientRect().width > panel.clientWidth, "cut number");
    }
    for (const pie of panel.querySelectorAll('svg[aria-label="Pie chart"] > g')) check(pie.getBoundingClientRect().width < 150, "small donut");
    for (const grid of panel.querySelectorAll('[role="grid"]')) {
      check(grid.scrollWidth > grid.clientWidth, "horizontal scroll bar");
      for (const cell of grid.querySelectorAll('[role="row"][aria-rowindex="2"] [role="gridcell"]'))
        check(isCut(cell), "cut text in " + cell.innerText);
      rows[panelId] = [...grid.querySelectorAll('[role="row"][aria-rowindex="2"] [role="gridcell"]')].map((cell) => cell.innerText.trim());
    }
  }
  return { problems, rows };
}`;

const common = [expect.stringMatching(/^01-14 12:00/), "1.87 mins", "34ba"];
const modelName = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const shown = {
  17: ["development", "$0.00000162"],
  19: ["sales-copilot"],
  34: [modelName, "128,000", "$0.00000162", "failed"],
  36: ["RateLimitError"],
  42: [modelName, "RateLimitError"],
  43: [modelName, "128,000", "failed"],
};
/** Of the table of numbers. */
const numbers = ["1,234,567", "12.3%", "1.67 mins", "10.00 s", "12.3 Bil", "99.9%", "$1.23K", "$0.00000162"];

it.each([exampleA, exampleB, exampleC])("$title", async (model) => {
  const page = await openPage(browser, await buildView(), { data: fileOf(model) }, 980, dockedMenu);
  await openRows(page);
  const { problems, rows } = (await page.evaluate(`(${measure})()`)) as { problems: string[]; rows: Record<keyof typeof shown, string[]> };
  await page.context().close();
  expect(problems).toEqual([]);
  const { 40: numberCells, ...spanRows } = rows as Record<number, string[]>;
  if (numberCells) expect(numberCells).toEqual(expect.arrayContaining(numbers));
  expect(Object.keys(spanRows)).toEqual(Object.keys(tables[model.uid] ?? {}));
  for (const [id, cells] of Object.entries(spanRows)) {
    expect(cells).toEqual(expect.arrayContaining([...common, ...shown[Number(id) as keyof typeof shown]]));
  }
  if (rows[34]) expect(rows[34]).toContainEqual(expect.stringMatching(/^Where is the \\"blue\\" parcel\?/));
});
