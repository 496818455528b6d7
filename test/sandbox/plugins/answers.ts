/** The stand-in plugins: responses to the engine, as messages of its protocol. */
import { Metadata, status } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Failure } from "./check";
import type { Diff } from "./diff";
import { Halfway } from "./resource";
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

/** After a failure halfway, the engine reads the state from this metadata field. */
export function failed(error: Error): { code?: number; metadata?: Metadata } {
  if (!(error instanceof Halfway)) return {};
  const { id, outputs } = error.state;
  const failure = new messages.ErrorResourceInitFailed().setId(id).setProperties(toStruct(outputs)).setReasonsList([error.message]);
  const detail = new Any();
  detail.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const packed = new Status().setCode(status.UNKNOWN).setMessage(error.message);
  packed.addDetails(detail);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(packed.serializeBinary()));
  return { code: status.UNKNOWN, metadata };
}
