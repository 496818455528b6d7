/** One platform and as many monitored services as the environment says. */
import * as pulumi from "@pulumi/pulumi";
import { platformArgs, serviceArgs } from "../../../src/arguments";
import { ObservabilityPlatform } from "../../../src/platform/platform";
import { MonitoredService } from "../../../src/platform/service";
import { readSettings } from "../../../src/settings";

const settings = readSettings();
const platform = new ObservabilityPlatform("platform", platformArgs(settings));
const first = serviceArgs(settings, pulumi.getProject());

for (let number = 1; number <= Number(process.env.BENCH_SERVICES); number++) {
  const serviceUrl = `${settings.serviceUrl}/${number}`;
  new MonitoredService(`service-${number}`, {
    platform,
    ...first,
    service: `service${number}`,
    connection: { ...first.connection, serviceUrl },
  });
}
