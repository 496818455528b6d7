/** Who sends NaN or infinity: rules and panels leave such values out, so that tokens and costs lack the calls. */
import { group, quote } from "../signals/promql";
import { queryPrometheus, type Stores, withoutSecret } from "./query";
import { relatedNames } from "./senders";
import { type Finding, firstOf, note, ok } from "./table";

/** NaN and infinity times 0 are NaN, which is not equal to 0. The product loses the name of a series: a label keeps it. */
const query = group(
  `label_replace(last_over_time({__name__=~${quote(relatedNames)}}[24h]), "series", "$1", "__name__", "(.+)") * 0 != 0`,
  ...["series", "job", "exported_job", "service_name", "applicationName", "gen_ai_application_name"],
);

export async function checkNumbers(stores: Stores): Promise<Finding> {
  const found = await queryPrometheus(stores, query);
  if (found.length === 0) return ok("all values of the last 24 hours are numbers");
  const texts = found.map(({ labels: { series = "", job = "", ...labels } }) => {
    return `${series} of ${withoutSecret(Object.values(labels).find(Boolean) ?? job, stores) || "an application"}`;
  });
  return note(
    `values are NaN or infinite: ${firstOf([...new Set(texts)].sort(), 3)}. Panels, costs and alerts leave them out until the process ` +
      "restarts. Update its SDK, or find out which request has no number of tokens",
  );
}
