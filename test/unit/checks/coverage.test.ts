/** What the checks say about gateways: how many of their requests SDKs report, too. That the series are right is in test/truth. */
import { expect, it } from "vitest";
import type { Gateways } from "../../../src/signals/opentelemetry-rules";
import { check, json } from "./run";

type Counts = Record<string, number>;

const coverage = async (requests: Counts, uncounted: Counts, countedBy: Gateways["countedBy"] = "sdks") => {
  const gateways = { names: ["litellm", "aigw"], countedBy };
  const { results } = await check(
    ({ path, body = "" }) => {
      if (path !== "/api/ds/query") return json({});
      const found = body.includes("gen_ai_uncounted_requests") ? uncounted : body.includes("gen_ai_requests_count:") ? requests : {};
      const frames = Object.entries(found).map(([application, value]) => ({
        schema: { fields: [{ labels: { application } }] },
        data: { values: [[value]] },
      }));
      return json({ results: { A: { frames } } });
    },
    {
      targets: {
        dashboards: [{ title: "D", uid: "d", folderUid: "f", series: [] }],
        sdk: { name: "openlit", naming: "prometheus", counters: [], gateways },
      },
    },
  );
  const { status, detail } = results.gateways ?? {};
  return [status, detail];
};

const seen = "in the last 24 hours, the gateways saw 10,000 requests, SDKs 8,700";

it.each<[what: string, ...Parameters<typeof coverage>, expected: [status: string, detail: RegExp | string]]>([
  ["no label tells it", { shop: 8700 }, { "shop-key": 10_000 }, "sdks", ["ok", `${seen}: 13 % of the traffic sends nothing`]],
  [
    "by application: one of them sends nothing at all, and of another everything arrives but rounding",
    { shop: 6000, api: 3000, mail: 600, search: 400 },
    { shop: 5000, api: 3300, search: 400.2 },
    "gateways",
    ["ok", `${seen}: 13 % of the traffic sends nothing: mail 100 %, shop 17 %`],
  ],
  ["all", { shop: 10 }, { shop: 10 }, "sdks", ["ok", "in the last 24 hours, the gateways saw 10 requests, SDKs 10"]],
  [
    "a wrong name",
    { shop: 10 },
    {},
    "sdks",
    ["note", "no requests of litellm or aigw in the last 24 hours: check whether the setting gateways has the names of applications"],
  ],
])("%s", async (_what, requests, uncounted, countedBy, expected) => {
  expect(await coverage(requests, uncounted, countedBy)).toEqual(expected);
});
