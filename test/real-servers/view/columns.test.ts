/** Every panel is whole beside Grafana's docked menu in a window of 1280 pixels, in Grafana's own components: titles, numbers, donuts, columns. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, dockedMenu, openPage, startChromium } from "../../../src/view/browser";
import { buildView } from "../../../src/view/build";
import { type DashboardFile, framesToFile } from "../../../src/view/reading/file";
import { prometheusFrames, tempoFrames } from "../../../src/view/reading/frames";
import type { Panel } from "../../../src/view/reading/panel";
import { exampleA, exampleB, exampleC, nameOf, shownOf } from "../../support/models";

const narrow = 980;

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

const requests = { "gen_ai.request.model": "text-embedding-3-small", "gen_ai.usage.cost": "0.234567" };
const ofB = { "gen_ai.application_name": "sales-copilot", "gen_ai.environment": "development" };
const ofC = { "service.name": "customer-support-assistant", status: "error" };

/** What the tables show, by dashboard and the panel's id. */
const tables: Record<string, Record<number, Record<string, string>>> = {
  [exampleB.uid]: {
    17: {
      ...requests,
      ...ofB,
      "gen_ai.content.prompt": 'Where is the "blue" parcel? '.repeat(9),
      "gen_ai.content.completion": "text ".repeat(50),
    },
    19: ofB,
  },
  [exampleC.uid]: {
    34: {
      ...requests,
      ...ofC,
      "gen_ai.operation.name": "generate_content",
      "gen_ai.input.messages": JSON.stringify([
        { role: "system", parts: [{ type: "text", content: "Be kind." }] },
        { role: "user", parts: [{ content: 'Where is the "blue" parcel? '.repeat(9), type: "text" }] },
      ]),
      "gen_ai.output.messages": "text ".repeat(50),
      "gen_ai.usage.input_tokens": "128000",
      "gen_ai.usage.output_tokens": "16384",
    },
    36: {
      ...ofC,
      "error.type": "openai.RateLimitError",
      "db.system.name": "elasticsearch",
      "db.operation.name": "search",
      "db.collection.name": "knowledge-base",
    },
  },
};

/** One small cost, one large number, or four series with a long name. */
function numbersOf({ type, fieldConfig }: Panel) {
  const value = fieldConfig?.defaults.unit === "currencyUSD" ? "0.00000214" : "12345678";
  const names = type === "stat" ? ["one"] : ["customer-support-assistant", "b", "c", "d"];
  const result = names.map((name) => ({ metric: { name }, value: [start / 1000, value] as [number, string] }));
  return framesToFile(prometheusFrames({ resultType: "vector", result }, { refId: "A", expr: "x", legendFormat: "{{name}}", step: 0 }));
}

function fileOf(model: typeof exampleA): DashboardFile {
  const filled = shownOf(model).flatMap((panel): [number, DashboardFile["panels"][string]][] => {
    const spans = tables[model.uid]?.[panel.id];
    if (spans) return [[panel.id, framesOf(spans)]];
    return ["stat", "piechart"].includes(panel.type) ? [[panel.id, numbersOf(panel)]] : [];
  });
  return { model, range: { from: start - 60_000, to: start + 60_000 }, timeZone: "utc", selected: {}, panels: Object.fromEntries(filled) };
}

interface Measured {
  cutTitle: boolean;
  /** Pixels by which a number or the columns of a table are wider than the panel. */
  wider: number;
  /** Pixels. */
  donut: number | null;
  cells: string[];
}

/** Read by the browser. A legend of Grafana moves below a donut by the width of the window. */
const measure = `(id) => {
  const panel = document.querySelector('[data-panel-id="' + id + '"]');
  const title = panel.querySelector("h2");
  const grid = panel.querySelector('[role="grid"]');
  const pie = panel.querySelector('svg[aria-label="Pie chart"] > g');
  const widthOf = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect().width; };
  const number = panel.dataset.panelType === "stat" ? Math.max(...[...panel.querySelectorAll("section span")].map(widthOf)) - panel.clientWidth : -1;
  return {
    cutTitle: title !== null && title.scrollWidth > title.clientWidth,
    wider: grid ? grid.scrollWidth - grid.clientWidth : number,
    donut: pie && pie.getBoundingClientRect().width,
    cells: grid ? [...grid.querySelectorAll('[role="row"][aria-rowindex="2"] [role="gridcell"]')].map((cell) => cell.innerText.trim()) : [],
  };
}`;

const of = (model: typeof exampleA) => async () => {
  const page = await openPage(browser, await buildView(), { data: fileOf(model) }, narrow, dockedMenu);
  const panels = shownOf(model).map(
    async (panel) => [nameOf(panel), (await page.evaluate(`(${measure})(${panel.id})`)) as Measured] as const,
  );
  const measured = new Map(await Promise.all(panels));
  await page.context().close();
  return measured;
};

it.each([
  { title: exampleA.title, measured: of(exampleA), shown: {} },
  {
    title: exampleB.title,
    measured: of(exampleB),
    shown: {
      "table 17": ["01-14 12:00", "sales-copilot", "text-embedding-3-small", "$0.234567", "1.87 mins", "development", "34ba"],
      "table 19": ["01-14 12:00", "sales-copilot", "1.87 mins", "development", "34ba"],
    },
  },
  {
    title: exampleC.title,
    measured: of(exampleC),
    shown: {
      "table 34": [
        expect.stringMatching(/^Where is the \\"blue\\" parcel\?/),
        "128,000",
        "16,384",
        "$0.234567",
        "1.87 mins",
        "failed",
        "34ba",
      ],
      "table 36": ["01-14 12:00", "elasticsearch", "1.87 mins", "failed", "RateLimitError", "34ba"],
    },
  },
])("$title", async ({ measured, shown }) => {
  const panels = await measured();
  const those = (isWrong: (panel: Measured) => boolean) => [...panels].flatMap(([name, panel]) => (isWrong(panel) ? [name] : []));
  expect(those(({ cutTitle }) => cutTitle)).toEqual([]);
  expect(those(({ wider }) => wider > 0)).toEqual([]);
  expect(those(({ donut }) => donut !== null && donut < 150)).toEqual([]);
  for (const [table, cells] of Object.entries(shown)) expect(panels.get(table)?.cells, table).toEqual(expect.arrayContaining(cells));
});
