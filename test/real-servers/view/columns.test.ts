/** The tables of "GenAI Observability (OpenTelemetry)" have all of their columns in a window of 1280 pixels, in Grafana's own table. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTelemetry } from "../../../src/dashboards/opentelemetry";
import { type Browser, openPage, startChromium } from "../../../src/view/browser";
import { buildView } from "../../../src/view/build";
import { type DashboardFile, framesToFile } from "../../../src/view/reading/file";
import { tempoFrames } from "../../../src/view/reading/frames";

const model = openTelemetry({ uid: "c", prometheusUid: "p", tempoUid: "t", mode: "direct" });

/** The table of requests to models, and that of vector databases. */
const [requests, databases] = [34, 36];

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});

afterAll(() => browser?.close());

const start = Date.UTC(2026, 0, 14, 12);

/** Failed spans with long names, as many as a table has: with a scroll bar for rows. All attributes of a table are columns. */
function framesOf(attributes: Record<string, string>) {
  const common = { "service.name": "customer-support-assistant", status: "error", "error.type": "openai.RateLimitError" };
  const span = {
    spanID: "34bab0fb8342bafb",
    startTimeUnixNano: `${start}000000`,
    durationNanos: "112345678900",
    attributes: Object.entries({ ...common, ...attributes }).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
  const trace = { traceID: "0123456789abcdef0123456789abcdef", startTimeUnixNano: `${start}000000`, spanSets: [{ spans: [span] }] };
  return framesToFile(tempoFrames(new Array(20).fill(trace), "A"));
}

const file: DashboardFile = {
  model,
  range: { from: start - 60_000, to: start + 60_000 },
  timeZone: "utc",
  selected: {},
  panels: {
    [requests]: framesOf({
      "gen_ai.operation.name": "generate_content",
      "gen_ai.request.model": "text-embedding-3-small",
      "gen_ai.input.messages": JSON.stringify([
        { role: "system", parts: [{ type: "text", content: "Be kind." }] },
        { role: "user", parts: [{ content: 'Where is the "blue" parcel? '.repeat(9), type: "text" }] },
      ]),
      "gen_ai.output.messages": "text ".repeat(50),
      "gen_ai.usage.input_tokens": "128000",
      "gen_ai.usage.output_tokens": "16384",
      "gen_ai.usage.cost": "1.234567",
    }),
    [databases]: framesOf({ "db.system.name": "elasticsearch", "db.operation.name": "search", "db.collection.name": "knowledge-base" }),
  },
};

/** Read by the browser. */
const measure = `(id) => {
  const grid = document.querySelector('[data-panel-id="' + id + '"] [role="grid"]');
  const cells = [...grid.querySelector('[role="row"][aria-rowindex="2"]').querySelectorAll('[role="gridcell"]')].map((cell) => cell.innerText.trim());
  return { wider: grid.scrollWidth - grid.clientWidth, cells };
}`;

it.each([
  {
    table: "requests to models",
    id: requests,
    columns: 13,
    cells: [
      "01-14 12:00:00",
      expect.stringMatching(/^Where is the \\"blue\\" parcel\?/),
      expect.stringMatching(/^text text/),
      "128,000",
      "16,384",
      "$1.234567",
      "1.87 mins",
    ],
  },
  { table: "requests to vector databases", id: databases, columns: 9, cells: ["01-14 12:00:00", "elasticsearch", "1.87 mins"] },
])("$table", async ({ id, columns, cells }) => {
  const page = await openPage(browser, await buildView(), { data: file }, 1280);
  const found = (await page.evaluate(`(${measure})(${id})`)) as { wider: number; cells: string[] };
  await page.context().close();
  expect(found.cells).toHaveLength(columns);
  expect(found.cells).toEqual(expect.arrayContaining([...cells, "failed", "RateLimitError", "34bab0fb"]));
  expect(found.wider).toBe(0);
});
