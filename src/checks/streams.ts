/** Checks whether the log streams of the service have prompts and responses, which panels select by the label `type`. */
import { queryList, type Stores, withoutSecret } from "./query";
import { type Finding, note, ok } from "./table";

/** Reads only Loki's index. @param streams a selector */
export async function checkStreams(stores: Stores, streams: string): Promise<Finding> {
  const parameters = new URLSearchParams({ query: streams, start: `${Date.now() - 24 * 3_600_000}000000` });
  const values = await queryList(stores, "loki", `/loki/api/v1/label/type/values?${parameters}`, "data");
  const types = values.map(String).filter((type) => withoutSecret(type, stores));
  const missing = ["prompt", "response"].filter((type) => !types.includes(type));
  if (missing.length === 0) return ok("prompts and responses arrive");
  const found = types.length > 0 ? `, only ${types.map((type) => `"${type}"`).join(", ")}` : "";
  return note(`no data yet: no log streams ${streams} with type "${missing.join('" or "')}" in the last 24 hours${found}`);
}
