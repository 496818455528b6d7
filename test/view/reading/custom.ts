/** The field options that belong to one panel type (`custom.*`), with Grafana's defaults. The types are those of @grafana/schema. */

/** Each option by its path under `custom`, with its default. */
export type CustomOptions = Readonly<Record<string, unknown>>;

const hideFrom = { hideFrom: { tooltip: false, viz: false, legend: false } };

const axis: CustomOptions = {
  axisPlacement: "auto",
  axisLabel: "",
  axisWidth: undefined,
  axisSoftMin: undefined,
  axisSoftMax: undefined,
  axisGridShow: undefined,
  axisColorMode: "text",
  axisBorderShow: false,
  axisCenteredZero: false,
  scaleDistribution: { type: "linear" },
};

/** Panel types without an entry have no options of their own. */
export const customOptions: Readonly<Record<string, CustomOptions>> = {
  timeseries: {
    drawStyle: "line",
    lineInterpolation: "linear",
    barAlignment: 0,
    barWidthFactor: 0.6,
    lineWidth: 1,
    fillOpacity: 0,
    gradientMode: "none",
    fillBelowTo: undefined,
    lineStyle: { fill: "solid" },
    spanNulls: false,
    insertNulls: false,
    showPoints: "auto",
    showValues: false,
    pointSize: 5,
    stacking: { mode: "none", group: "A" },
    transform: undefined,
    thresholdsStyle: { mode: "off" },
    ...axis,
    ...hideFrom,
  },
  histogram: { lineWidth: 1, fillOpacity: 80, gradientMode: "none", stacking: { mode: "none", group: "A" }, ...axis, ...hideFrom },
  piechart: hideFrom,
  table: {
    align: "auto",
    cellOptions: { type: "auto" },
    wrapText: undefined,
    wrapHeaderText: undefined,
    width: undefined,
    minWidth: undefined,
    filterable: undefined,
    inspect: false,
    footer: { reducers: [] },
    // Tables have this one path instead of the object. `hidden`, its name until Grafana 11, has no effect since Grafana 12.
    "hideFrom.viz": undefined,
  },
};
