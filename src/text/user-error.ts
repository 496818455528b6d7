/** Errors that tell a person what to mend. */
import * as pulumi from "@pulumi/pulumi";

/**
 * An error that the engine shows as its message alone. It has no stack: the engine would inspect one for half a minute and show none of it, where
 * the error comes out of an `apply`.
 */
export function userError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = "";
  return error;
}
