/** Errors whose message alone the engine shows. */
import * as pulumi from "@pulumi/pulumi";

/** Has no stack: reading one takes ten seconds, in which source maps of all modules are parsed, and the engine does not show it. */
export const userError = (message: string) => Object.assign(new pulumi.RunError(message), { stack: "" });
