/** One platform and as many monitored services as the environment says. */
import * as pulumi from "@pulumi/pulumi";
import { defineDashboards, platformArgs, preflightArgs, serviceArgs } from "../../../src/arguments";
import { ObservabilityPlatform } from "../../../src/platform/platform";
import { preflight } from "../../../src/platform/preflight";
import { MonitoredService } from "../../../src/platform/service";
import { readSettings } from "../../../src/settings";

export = async () => {
  const settings = readSettings();
  const services = Array.from({ length: Number(process.env.BENCH_SERVICES) }, (_, place) => {
    const number = place + 1;
    return { ...settings, service: `service${number}`, serviceUrl: `${settings.serviceUrl}/${number}` };
  });
  const dashboards = services.map((each) => defineDashboards(each).service);
  const checked = preflightArgs(settings);
  await preflight({ ...checked, dashboards: [...checked.dashboards, ...dashboards] });
  const platform = new ObservabilityPlatform("platform", platformArgs(settings));
  services.forEach((each, place) => {
    new MonitoredService(`service-${place + 1}`, { platform, ...serviceArgs(each, pulumi.getProject()) });
  });
};
