/** Grafana's own library of frames, formats, reducers and transformations, loaded outside of a browser. */
import { createRequire } from "node:module";
import type * as Library from "@grafana/data";

// Required, not imported: as an ES module it stumbles over a named export of moment-timezone.
export const grafana: typeof Library = createRequire(__filename)("@grafana/data");

// It needs no DOM, only two names: it asks the navigator for its languages, and the window whether dashboards are scenes. They are, since
// Grafana 11. Set after loading: one of its dependencies takes a window for a whole browser.
const globals = globalThis as { navigator?: unknown; window?: unknown };
globals.navigator ??= { language: "en-US", languages: ["en-US"] };
globals.window ??= { __grafanaSceneContext: {} };

export const theme = grafana.createTheme();

/** Dashboards show times in the reader's zone; tests read all in one. */
export const timeZone = "utc";

const { transformDataFrame, standardTransformers, standardTransformersRegistry, standardFieldConfigEditorRegistry } = grafana;

standardTransformersRegistry.setInit(() =>
  // Some stand under two names.
  [...new Map(Object.values(standardTransformers).map((transformer) => [transformer.id, transformer])).values()].map((transformer) => ({
    id: transformer.id,
    name: transformer.name,
    transformation: () => Promise.resolve(transformer as Library.DataTransformerInfo),
    editor: () => null,
    imageDark: "",
    imageLight: "",
  })),
);

/** Applies a panel's transformations, one after the other. Grafana passes over a transformation that it does not know; a test must not. */
export async function transform(
  frames: Library.DataFrame[],
  transformations: Library.DataTransformerConfig[],
): Promise<Library.DataFrame[]> {
  const unknown = transformations.find(({ id }) => !standardTransformersRegistry.getIfExists(id));
  if (unknown) throw new Error(`Grafana knows no transformation "${unknown.id}"`);
  return new Promise((resolve, reject) => transformDataFrame(transformations, frames).subscribe({ next: resolve, error: reject }));
}

type Property = Library.FieldConfigPropertyItem;

const numbersOnly = (field: Library.Field) => field.type === grafana.FieldType.number;

/** The options of fields that all panels have (public/app/core/components/OptionsUI/registry.tsx), without their editors. */
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

/** Panels whose colors tell series apart, unless they are told otherwise. Others color by thresholds. */
const bySeries = ["timeseries", "piechart", "histogram"];

/** The options and the field configuration of a panel, completed with the defaults of its type. */
export function configured(type: string, fieldConfig: Library.FieldConfigSource) {
  // biome-ignore lint/correctness/useHookAtTopLevel: no hook of React's, only named like one
  const plugin = new grafana.PanelPlugin(null).useFieldConfig({
    ...(bySeries.includes(type) && { standardOptions: { color: { defaultValue: { mode: grafana.FieldColorModeId.PaletteClassic } } } }),
    // Of a panel type's own options, only those matter that hide a column: `hidden`, and `hideFrom` since Grafana 12.
    useCustomConfig: (builder) => {
      for (const path of ["hidden", "hideFrom"]) {
        builder.addCustomEditor({ ...property(path, grafana.identityOverrideProcessor), path });
      }
    },
  });
  const { fieldConfig: complete } = grafana.getPanelOptionsWithDefaults({
    plugin,
    currentOptions: {},
    // It completes in place.
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
