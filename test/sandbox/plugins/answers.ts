/** The stand-in plugins: responses to the engine, as messages of its protocol. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Failure } from "./check";
import type { Diff } from "./diff";
import { toStruct, type Values } from "./values";

export function checked(inputs: Values, found: Failure[]): messages.CheckResponse {
  const list = found.map(({ property, reason }) => new messages.CheckFailure().setProperty(property).setReason(reason));
  return new messages.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(list);
}

export function different({ changed, replaces, deleteBeforeReplace }: Diff): messages.DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  return new messages.DiffResponse()
    .setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList(changed)
    .setReplacesList(replaces)
    .setDeletebeforereplace(deleteBeforeReplace);
}
