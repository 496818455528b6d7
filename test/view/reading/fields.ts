/** The field configuration of panels: Grafana's options with their defaults, and the overrides. */
import type { DataFrame, Field, FieldConfigPropertyItem, FieldConfigSource, GrafanaTheme2 } from "@grafana/data";
import { customOptions } from "./custom";
import { grafana } from "./library";
import { replacing } from "./links";
import type { Panel, Range } from "./panel";

/** The settings of the user that texts and colors of values depend on. */
export interface Look {
  theme: GrafanaTheme2;
  /** `utc`, `browser`, or a name such as `Europe/Berlin`. */
  timeZone: string;
  /** What links contain: the time range, and the selected values of variables. */
  range?: Range;
  selected?: Readonly<Record<string, readonly string[]>>;
}

const { standardFieldConfigEditorRegistry } = grafana;

type Property = FieldConfigPropertyItem;

const numbersOnly = (field: Field) => field.type === grafana.FieldType.number;

/** The field options of all panels (public/app/core/components/OptionsUI/registry.tsx), without their editors. */
standardFieldConfigEditorRegistry.setInit(() => [
  property("displayName", grafana.displayNameOverrideProcessor),
  property("unit", grafana.unitOverrideProcessor),
  property("min", grafana.numberOverrideProcessor, { shouldApply: numbersOnly }),
  property("max", grafana.numberOverrideProcessor, { shouldApply: numbersOnly }),
  property("fieldMinMax", grafana.identityOverrideProcessor, { shouldApply: numbersOnly }),
  property("decimals", grafana.numberOverrideProcessor, { shouldApply: numbersOnly }),
  property("noValue", grafana.displayNameOverrideProcessor),
  property("color", grafana.identityOverrideProcessor),
  property("links", grafana.dataLinksOverrideProcessor),
  property("thresholds", grafana.thresholdsOverrideProcessor, {
    defaultValue: {
      mode: grafana.ThresholdsMode.Absolute,
      steps: [
        { value: Number.NEGATIVE_INFINITY, color: "green" },
        { value: 80, color: "red" },
      ],
    },
  }),
  property("mappings", grafana.valueMappingsOverrideProcessor, {
    shouldApply: ({ type }) => type !== grafana.FieldType.time,
    defaultValue: [],
  }),
]);

function property(id: string, process: Property["process"], more: Partial<Property> = {}): Property {
  const none = () => null;
  return { id, path: id, name: id, editor: none, override: none, process, shouldApply: () => true, ...more };
}

/** Panels with a color for each series by default. Others have colors by thresholds. */
const bySeries = ["timeseries", "piechart", "histogram"];

/** Tables can also hide a column of times; graphs draw numbers only. */
const appliesTo = (type: string) => (field: Field) => type === "table" || field.type !== grafana.FieldType.time;

const plugins = new Map<string, ReturnType<typeof createPlugin>>();

function pluginOf(type: string) {
  const plugin = plugins.get(type) ?? createPlugin(type);
  plugins.set(type, plugin);
  return plugin;
}

function createPlugin(type: string) {
  // biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React
  return new grafana.PanelPlugin(null).useFieldConfig({
    ...(bySeries.includes(type) && { standardOptions: { color: { defaultValue: { mode: grafana.FieldColorModeId.PaletteClassic } } } }),
    useCustomConfig: (builder) => {
      for (const [path, defaultValue] of Object.entries(customOptions[type] ?? {})) {
        builder.addCustomEditor({ ...property(path, grafana.identityOverrideProcessor), path, defaultValue, shouldApply: appliesTo(type) });
      }
    },
  });
}

/** The field configuration of a panel with the defaults of its type. */
export function fieldConfigOf({ type, fieldConfig = { defaults: {}, overrides: [] } }: Panel): FieldConfigSource {
  const complete = grafana.getPanelOptionsWithDefaults({
    plugin: pluginOf(type),
    currentOptions: {},
    // It changes the argument.
    currentFieldConfig: structuredClone(fieldConfig) as FieldConfigSource,
    isAfterPluginChange: false,
  }).fieldConfig;
  // JSON has no infinity: Grafana adds it when it loads a model.
  const [base] = complete.defaults.thresholds?.steps ?? [];
  if (base) base.value = Number.NEGATIVE_INFINITY;
  return complete;
}

/** Applies the field options and the overrides of a panel. */
export function applyFields(panel: Panel, data: DataFrame[], look: Look): DataFrame[] {
  const { theme, timeZone } = look;
  return grafana.applyFieldOverrides({
    data,
    fieldConfig: fieldConfigOf(panel),
    fieldConfigRegistry: pluginOf(panel.type).fieldConfigRegistry,
    replaceVariables: replacing(look),
    theme,
    timeZone,
  });
}
