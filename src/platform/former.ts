/** Where providers stood in the state before version 0.2: the engine then moves them instead of replacing them. */
import * as pulumi from "@pulumi/pulumi";

const platform = () => pulumi.createUrn("platform", "llm-observability:platform:ObservabilityPlatform");

/** A provider, which was a child of the platform. */
export const formerProvider = (name: string) => ({ aliases: [{ parent: platform(), name }] });
