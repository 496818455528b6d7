/** Both dashboards' panels by title, as the tests of this layer ask for them. */
import { genaiObservability } from "../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../src/dashboards/llm-monitoring";
import { panelsOf } from "../support/models";
import type { Panel } from "./grafana/show";

/** `<svc>` and `<sdk_name>` of the spec. */
export const names = { service: "llmobs", sdkName: "openlit" };

const links = {
  documentationUrl: "https://docs.example.com/",
  communityUrl: "https://example.com/",
  repositoryUrl: "https://git.example.com/",
};

export const modelA = llmMonitoring({ service: names.service, prometheusUid: "prometheus", lokiUid: "loki", ...links });
export const modelB = genaiObservability({ uid: "genai", sdkName: names.sdkName, prometheusUid: "prometheus", tempoUid: "tempo" });

/** Titles of panels that show data; those without one are told by their row's. */
export function titlesOf(panels: readonly { title?: string | undefined; type: string }[]): string[] {
  let row = "";
  return panels.flatMap(({ title, type }) => {
    if (type !== "row") return [title || `${row}, ${type}`];
    row = title ?? "";
    return [];
  });
}

function byTitle(panels: Panel[]): Map<string, Panel> {
  const shown = panels.filter(({ type }) => type !== "row");
  return new Map(titlesOf(panels).map((title, place) => [title, shown[place] as Panel]));
}

export const panelsOfA = byTitle(panelsOf(modelA) as Panel[]);
export const panelsOfB = byTitle(panelsOf(modelB) as Panel[]);
