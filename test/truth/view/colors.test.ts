/** The fixed colors of lines and large numbers have a contrast of 3 to 1 with the panel, in both themes (WCAG 2.2, 1.4.3 and 1.4.11). */
import { expect, it } from "vitest";
import { openTelemetry } from "../../../src/dashboards/opentelemetry";
import { defaultReading } from "../../../src/signals/signal";
import { grafana } from "../../view/reading/library";
import { allPanelsOf } from "../../view/reading/panel";

const model = openTelemetry({
  ...defaultReading,
  limits: { errorRate: 0.05, latency: 30, firstToken: 10 },
  uid: "c",
  uids: { prometheus: "p", tempo: "t" },
});

/** Colors of lines, bars and numbers. Slices of pies have a legend, and labels of their own. */
const colors = new Set(
  allPanelsOf(model)
    .filter(({ type }) => ["stat", "timeseries", "table"].includes(type))
    .flatMap(({ fieldConfig }) =>
      [...JSON.stringify(fieldConfig).matchAll(/"(?:color|fixedColor)":"([^"]+)"/g)].flatMap(([, color]) => color ?? []),
    ),
);

it.each(["dark", "light"] as const)("%s", (mode) => {
  const { visualization, components } = grafana.createTheme({ colors: { mode } });
  const contrasts = [...colors].map((color) => {
    const contrast = grafana.colorManipulator.getContrastRatio(visualization.getColorByName(color), components.panel?.background ?? "");
    return { color, contrast };
  });
  expect(contrasts.length).toBeGreaterThan(5);
  expect(contrasts.filter(({ contrast }) => contrast < 3)).toEqual([]);
});
