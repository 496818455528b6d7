/** The fixed colors of lines and large numbers have a contrast of 3 to 1 with the panel, in both themes (WCAG 2.2, 1.4.3 and 1.4.11). */
import { expect, it } from "vitest";
import { exampleC, panelsOf } from "../../support/models";
import { grafana } from "../../view/reading/library";

/** Colors of lines, bars and numbers. Slices of pies have a legend, and labels of their own. */
const colors = new Set(
  panelsOf(exampleC)
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
