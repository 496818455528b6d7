/** Grafana's transformations of frames. */
import type { DataFrame, DataTransformerConfig, DataTransformerInfo } from "@grafana/data";
import { grafana } from "./library";

const { transformDataFrame, standardTransformers, standardTransformersRegistry } = grafana;

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
