/** Grafana's library of frames, formats, reducers and transformations, loaded without a browser. */
import { createRequire } from "node:module";
import type * as Library from "@grafana/data";

// Required, not imported: as an ES module it fails on a named export of moment-timezone.
export const grafana: typeof Library = createRequire(__filename)("@grafana/data");

// It needs no DOM, only two globals: the navigator's languages, and the window's flag for dashboards as scenes, which is set since Grafana 11. They
// are set after loading, because one of its dependencies expects a complete browser if a window exists.
const globals = globalThis as { navigator?: unknown; window?: unknown };
globals.navigator ??= { language: "en-US", languages: ["en-US"] };
globals.window ??= { __grafanaSceneContext: {} };

export const theme = grafana.createTheme();

/** Dashboards show times in the user's time zone. Tests use one. */
export const timeZone = "utc";

const { transformDataFrame, standardTransformers, standardTransformersRegistry, standardFieldConfigEditorRegistry } = grafana;

standardTransformersRegistry.setInit(() =>
  // Some have two names.
  [...new Map(Object.values(standardTransformers).map((transformer) => [transformer.id, transformer])).values()].map((transformer) => ({
    id: transformer.id,
    name: transformer.name,
    transformation: () => Promise.resolve(transformer as Library.DataTransformerInfo),
    editor: () => null,
    imageDark: "",
    imageLight: "",
  })),
);

/** Applies a panel's transformations in order. Grafana ignores an unknown transformation; a test fails. */
export async function transform(
  frames: Library.DataFrame[],
  transformations: Library.DataTransformerConfig[],
): Promise<Library.DataFrame[]> {
  const unknown = transformations.find(({ id }) => !standardTransformersRegistry.getIfExists(id));
  if (unknown) throw new Error(`Unknown transformation "${unknown.id}"`);
  return new Promise((resolve, reject) => transformDataFrame(transformations, frames).subscribe({ next: resolve, error: reject }));
}

type Property = Library.FieldConfigPropertyItem;

const numbersOnly = (field: Library.Field) => field.type === grafana.FieldType.number;

/** The field options of all panels (public/app/core/components/OptionsUI/registry.tsx), without their editors. */
standardFieldConfigEditorRegistry.setInit(() => [
  property("displayName", grafana.displayNameOverrideProcessor),
  property("unit", grafana.unitOverrideProcessor),
  property("min", grafana.numberOverrideProcessor, { shouldApply: numbersOnly }),
  property("max", grafana.numberOverrideProcessor, { shouldApply: numbersOnly }),
  property("decimals", grafana.numberOverrideProcessor, { shouldApply: numbersOnly }),
  property("noValue", grafana.displayNameOverrideProcessor),
  property("color", grafana.identityOverrideProcessor),
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

/** The field configuration of a panel with the defaults of its type. */
export function configured(type: string, fieldConfig: Library.FieldConfigSource) {
  // biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React
  const plugin = new grafana.PanelPlugin(null).useFieldConfig({
    ...(bySeries.includes(type) && { standardOptions: { color: { defaultValue: { mode: grafana.FieldColorModeId.PaletteClassic } } } }),
    // Of a panel type's options, only those that hide a column matter: `hidden`, and `hideFrom` since Grafana 12.
    useCustomConfig: (builder) => {
      for (const path of ["hidden", "hideFrom"]) {
        builder.addCustomEditor({ ...property(path, grafana.identityOverrideProcessor), path });
      }
    },
  });
  const { fieldConfig: complete } = grafana.getPanelOptionsWithDefaults({
    plugin,
    currentOptions: {},
    // It changes the argument.
    currentFieldConfig: structuredClone(fieldConfig),
    isAfterPluginChange: false,
  });
  return {
    fieldConfig: complete,
    apply: (frames: Library.DataFrame[]) =>
      grafana.applyFieldOverrides({
        data: frames,
        fieldConfig: complete,
        fieldConfigRegistry: plugin.fieldConfigRegistry,
        replaceVariables: (text) => text,
        theme,
        timeZone,
      }),
  };
}
