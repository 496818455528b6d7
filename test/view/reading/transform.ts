/** Grafana's transformations of frames. */
import type { DataFrame, DataTransformerConfig, DataTransformerInfo } from "@grafana/data";
import { grafana } from "./library";

const { transformDataFrame, standardTransformers, standardTransformersRegistry, FieldType } = grafana;

// Up to Grafana 13.0, the number for null, which the backend sends for a missing value, is 0.
const { convertFieldTypeTransformer } = standardTransformers;
const { transformer } = convertFieldTypeTransformer;
convertFieldTypeTransformer.transformer = (options, context) => (frames) => {
  const converted = transformer(options, context)(frames);
  const before = frames.flatMap(({ fields }) => fields);
  for (const [index, field] of converted.flatMap(({ fields }) => fields).entries())
    if (field !== before[index] && field.type === FieldType.number)
      field.values = field.values.map((value, row) => (before[index]?.values[row] === null ? 0 : value));
  return converted;
};

standardTransformersRegistry.setInit(() =>
  // Some have two names.
  [...new Map(Object.values(standardTransformers).map((transformer) => [transformer.id, transformer])).values()].map((transformer) => ({
    id: transformer.id,
    name: transformer.name,
    transformation: () => Promise.resolve(transformer as DataTransformerInfo),
    editor: () => null,
    imageDark: "",
    imageLight: "",
  })),
);

/** Applies a panel's transformations in order. Grafana ignores an unknown transformation; this throws. */
export async function transform(frames: DataFrame[], transformations: DataTransformerConfig[]): Promise<DataFrame[]> {
  const unknown = transformations.find(({ id }) => !standardTransformersRegistry.getIfExists(id));
  if (unknown) throw new Error(`Unknown transformation "${unknown.id}"`);
  return new Promise((resolve, reject) => transformDataFrame(transformations, frames).subscribe({ next: resolve, error: reject }));
}
