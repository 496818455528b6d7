/** Errors whose message alone the engine shows. */
import * as pulumi from "@pulumi/pulumi";

/** Has no stack: for an error from an `apply`, the engine would inspect the stack for half a minute and not show it. */
export const userError = (message: string) => Object.assign(new pulumi.RunError(message), { stack: "" });
