/** The samples that an instant query finds in a Prometheus or a Mimir. */
import { queryInstant, type Sample } from "../view/reading/client";

export async function samplesOf(server: string, query: string, at: number) {
  const { result } = await queryInstant(server, query, at);
  return (result as { metric: Record<string, string>; value: Sample }[]).map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
}
