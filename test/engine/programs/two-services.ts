/** An example: two monitored services on one platform. The second one differs in its name and its own address. */
import * as pulumi from "@pulumi/pulumi";
import { platformArgs, preflightArgs, serviceArgs } from "../../../src/arguments";
import { ObservabilityPlatform } from "../../../src/platform/platform";
import { preflight } from "../../../src/platform/preflight";
import { MonitoredService } from "../../../src/platform/service";
import { readSettings } from "../../../src/settings";

export = async () => {
  const settings = readSettings();
  const second = { ...settings, service: "other", serviceUrl: `${settings.serviceUrl}/other` };
  const asked = preflightArgs(settings);
  const facts = await preflight({
    ...asked,
    dashboards: [...asked.dashboards, ...preflightArgs({ ...second, managedResources: "service-dashboard" }).dashboards],
  });

  const platform = new ObservabilityPlatform("platform", platformArgs(settings, facts));
  new MonitoredService("service", { platform, ...serviceArgs(settings, pulumi.getProject()) });
  new MonitoredService("second", { platform, ...serviceArgs(second, pulumi.getProject()) });
};
