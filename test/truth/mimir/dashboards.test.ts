/** The panels of SDKs' dashboards on a real Mimir show the expected values: of one tenant alone, with both forms of names. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Naming, namings } from "../../../src/signals/names/translate";
import { isFullSize } from "../../support/test-size";
import { TestGrafana } from "../grafana";
import { recordedLedger } from "../history";
import { Ledger } from "../ledger";
import { type Dashboard, rulesOf, sdkDashboards } from "../panels";
import { expectTruth, panelCases } from "../shown";
import { json, pushMetrics } from "../telemetry/push";
import { createWorld, hour } from "../world/world";
import { recordHistory } from "./history";
import { type RunningMimir, startMimir } from "./server";

const now = Math.floor(Date.now() / hour) * hour;

/** A tenant for each form of names, with calls of its own: no panel may show those of the other one. */
const tenants = namings.map((naming, index) => ({ naming, world: createWorld(now, Number(process.env.SEED ?? 20) + index) }));

let mimir: RunningMimir;
let grafana: TestGrafana;

/** What a tenant's panels ask: Mimir behind a datasource with the tenant's header. */
const serversOf = (tenant: Naming) => ({ prometheus: grafana.proxy(tenant), loki: "", tempo: "" });

beforeAll(async () => {
  mimir = await startMimir({ prometheus: { otel_metric_suffixes_enabled: true } });
  const url = `${mimir.mimir}/prometheus`;
  grafana = await TestGrafana.start(namings.map((naming) => ({ uid: naming, type: "prometheus", url, tenant: naming })));
  for (const { naming, world } of tenants) {
    await pushMetrics(world, `${mimir.mimir}/otlp/v1/metrics`, { ...json, "X-Scope-OrgID": naming });
  }
}, 180_000);

afterAll(async () => {
  grafana?.stop();
  await mimir?.stop();
});

const readPrometheus = (dashboards: readonly Dashboard[]) =>
  panelCases(dashboards).filter(({ panel }) => panel.targets?.every(({ datasource }) => datasource.type === "prometheus"));

describe.each(isFullSize ? tenants : tenants.filter(({ naming }) => naming === "no-suffixes"))("$naming", ({ naming, world }) => {
  const { spec, otel } = sdkDashboards(naming);
  const ledgers = new Map<Dashboard, Ledger>();
  const exact = new Ledger(world);

  it.each(readPrometheus([spec.samples]))("$key shows the expected values", async (panelCase) => {
    expect(await expectTruth(panelCase, now, exact, serversOf(naming), isFullSize ? undefined : 2)).toBeGreaterThan(0);
  });

  describe.runIf(isFullSize)("recorded", () => {
    beforeAll(async () => {
      const servers = serversOf(naming);
      await recordHistory(mimir.mimir, { naming, prometheus: servers.prometheus }, { from: now - 28 * hour, to: now });
      for (const dashboard of [spec.rules, otel])
        ledgers.set(dashboard, await recordedLedger(world, servers.prometheus, rulesOf(dashboard, naming), now));
    }, 600_000);

    it.each(readPrometheus([spec.rules, otel]))("$key shows the expected values", async (panelCase) => {
      expect(await expectTruth(panelCase, now, ledgers.get(panelCase.dashboard) as Ledger, serversOf(naming))).toBeGreaterThan(0);
    });
  });
});
