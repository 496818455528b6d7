/** What the checks say about the recorded export of each SDK, alone on a Prometheus and a Tempo. */
import { recordings } from "./deviations";

export const findings: Record<string, unknown> = Object.fromEntries([...Object.keys(recordings), "openinference-openai-0.1.66", "strands-agents-1.62.0", "litellm-1.106.2, only traces", "openlit-python-1.10.0"].map((name) => [name, {}]));
