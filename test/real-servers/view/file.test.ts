/** Files with a dashboard's data keep everything that panels read. */

import { expect, it } from "vitest";
import { exampleA, panelsOf } from "../../support/models";
import { framesFromFile, framesToFile } from "../../view/reading/file";
import { lokiFrames, prometheusFrames, tempoFrames } from "../../view/reading/frames";
import { grafana } from "../../view/reading/library";
import { prepare } from "../../view/reading/prepare";

type Frames = Parameters<typeof framesToFile>[0];

function reread(frames: Frames): Frames {
  const file = JSON.parse(JSON.stringify(framesToFile(frames)));
  return framesFromFile(file.frames);
}

it("series keep their names, labels, steps and values that JSON does not have", () => {
  const values = ["1.5", "NaN", "+Inf", "-Inf", "0"];
  const result = [{ metric: { __name__: "x", model: "gpt" }, values: values.map((value, index): [number, string] => [index, value]) }];
  const [frame] = reread(
    prometheusFrames({ resultType: "matrix", result }, { refId: "A", expr: "x", legendFormat: "{{model}}", step: 15_000 }),
  );
  const [time, value] = frame?.fields ?? [];
  expect(frame?.refId).toBe("A");
  expect(time).toMatchObject({ type: "time", config: { interval: 15_000 }, values: [0, 1000, 2000, 3000, 4000] });
  expect(value).toMatchObject({ name: "x", type: "number", labels: { model: "gpt" }, config: { displayNameFromDS: "gpt" } });
  expect([...(value?.values ?? [])]).toEqual([1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]);
});

it("missing values stay missing", () => {
  const frame = grafana.createDataFrame({ fields: [{ name: "cost", type: grafana.FieldType.number, values: [null, 0.25] }] });
  expect([...(reread([frame])[0]?.fields[0]?.values ?? [])]).toEqual([null, 0.25]);
});

it("lines keep their nanoseconds and labels, spans their hidden column", () => {
  const stream = { stream: { app: "a" }, values: [["1735819200000000002", "line"]] as [string, string][] };
  const [lines] = reread(lokiFrames({ resultType: "streams", result: [stream] }, "A"));
  expect(lines?.fields.map(({ values }) => values[0])).toEqual([{ app: "a" }, 1735819200000, "line", "1735819200000000002"]);
  const [spans] = reread(tempoFrames([{ traceID: "t", spanSets: [{ spans: [{ spanID: "s", durationNanos: "5" }] }] }], "A"));
  expect(spans?.fields[0]).toMatchObject({ name: "traceIdHidden", config: { custom: { hidden: true } }, values: ["t"] });
});

it("a panel shows a file's frames as it shows those of a query", async () => {
  const panel = panelsOf(exampleA).find(({ title }) => title === "Total Cost");
  if (!panel) throw new Error("No such panel");
  const result = [{ metric: {}, value: [1735819200, "1234.5"] as [number, string] }];
  const frames = prometheusFrames({ resultType: "vector", result }, { refId: "A", expr: "x", step: 0 });
  const look = { theme: grafana.createTheme({ colors: { mode: "light" } }), timeZone: "utc" };
  const textOf = async (shown: Frames) => {
    const field = (await prepare(panel, shown, look))[0]?.fields[1];
    return grafana.formattedValueToString(field?.display?.(field.values[0]) as never);
  };
  expect(await textOf(reread(frames))).toBe("$1.23K");
  expect(await textOf(frames)).toBe("$1.23K");
});
