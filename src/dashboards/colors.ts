/**
 * Colors of panels. With Grafana's palette, a name has another color in each panel, so names of several panels have fixed colors. Grafana's
 * palette by series name gives the same color to names as frequent as production and staging.
 */
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";

/** The color of values without a threshold: that of text, in both themes. */
export const neutral = "text";

/** The color of "No data". */
export const faint = "gray";

/** The color of a single series, and of all bars of a ranking. */
export const accent = "blue";

/** The specified color of a threshold of "GenAI Observability". It is hardly visible in the light theme. */
export const amber = "#EAB839";

/** Between good and bad, in both themes. */
export const warning = "semi-dark-orange";

/** Colors of measurements that a graph compares. */
export const promptColor = "blue";
export const completionColor = "purple";
export const costColor = "orange";
export const cachedColor = "#2B9C9C";

export const failedColor = "red";

/** Patterns of names with their colors, by label. None is one of the first colors of the palette, which unknown names get. */
const byLabel: [label: RegExp, colors: Record<string, string>][] = [
  [/environment/, { "/^prod(uction)?$/i": "blue", "/^stag(e|ing)$/i": "purple", "/^dev(elopment)?$/i": "#3CB7B7" }],
  [/^(provider|gen_ai_system)$/, { "/^openai$/i": "#3CB7B7", "/^anthropic$/i": "#E0752D", "/^cohere$/i": "#9A6DD7" }],
  [/^gen_ai_token_type$/, { "/^input$/": promptColor, "/^output$/": completionColor }],
];

/** The fixed colors of a legend's values: patterns of names, each with a color. */
export function colorsOf(legend: string): [pattern: string, color: string][] {
  const [, name = ""] = /^\{\{(\w+)\}\}/.exec(legend) ?? [];
  return byLabel.flatMap(([label, colors]) => (label.test(name) ? Object.entries(colors) : []));
}

/** The property `color` of an override. */
export const fixed = (fixedColor: string) => ({ mode: dashboard.FieldColorModeId.Fixed, fixedColor });

export const palette = () => new dashboard.FieldColorBuilder().mode(dashboard.FieldColorModeId.PaletteClassic);

export const byThresholds = () => new dashboard.FieldColorBuilder().mode(dashboard.FieldColorModeId.Thresholds);

export const oneColor = (color: string) => new dashboard.FieldColorBuilder().mode(dashboard.FieldColorModeId.Fixed).fixedColor(color);

/** Thresholds are always set: without them, Grafana colors values of 80 and more red. */
export const steps = (base: string, thresholds: readonly dashboard.Threshold[] = []) =>
  new dashboard.ThresholdsConfigBuilder().mode(dashboard.ThresholdsMode.Absolute).steps([{ value: null, color: base }, ...thresholds]);

/** A threshold: red from a value on. */
export const redFrom = (value: number): dashboard.Threshold[] => [{ value, color: failedColor }];
