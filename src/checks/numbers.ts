/** Which applications send values that are no numbers: rules and panels leave them out, so that their calls are missing in tokens and costs. */
import type { GrafanaAccess } from "../network/grafana";
import { group, quote } from "../signals/promql";
import { relatedNames } from "./facts";
import type { CheckTargets } from "./input";
import { queryPrometheus, withoutSecret } from "./query";
import { type Finding, firstOf, note, ok } from "./table";

/** NaN and infinity times 0 are NaN, which is not equal to 0. The label keeps the names apart, which the product loses. */
const query = group(
  `label_replace(last_over_time({__name__=~${quote(relatedNames)}}[24h]), "series", "$1", "__name__", "(.+)") * 0 != 0`,
  ...["series", "job", "exported_job", "service_name", "applicationName", "gen_ai_application_name"],
);

export async function checkNumbers(access: GrafanaAccess, targets: CheckTargets): Promise<Finding> {
  const found = await queryPrometheus(access, targets, query);
  if (found.length === 0) return ok("all values of the last 24 hours are numbers");
  const texts = found.map(({ labels: { series = "", job = "", ...labels } }) => {
    return `${series} of ${withoutSecret(Object.values(labels).find(Boolean) ?? job, access) || "an application"}`;
  });
  return note(
    `values are NaN or infinite: ${firstOf([...new Set(texts)].sort(), 3)}. Panels, costs and alerts leave them out until the process restarts. Update its ` +
      "SDK, or find out which request has no number of tokens",
  );
}
