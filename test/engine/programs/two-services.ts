/** An example: two monitored services on one platform. They have different names and addresses. */
import * as pulumi from "@pulumi/pulumi";
import { platformArgs, preflightArgs, serviceArgs } from "../../../src/arguments";
import { ObservabilityPlatform } from "../../../src/platform/platform";
import { preflight } from "../../../src/platform/preflight";
import { MonitoredService } from "../../../src/platform/service";
import { readSettings } from "../../../src/settings";

export = async () => {
  const settings = readSettings();
  const first = serviceArgs(settings, pulumi.getProject());
  const second = serviceArgs({ ...settings, service: "other", serviceUrl: `${settings.serviceUrl}/other` }, pulumi.getProject());
  const checked = preflightArgs(settings);
  const facts = preflight({ ...checked, dashboards: [...checked.dashboards, second.dashboard] });

  const platform = new ObservabilityPlatform("platform", platformArgs(settings, facts));
  new MonitoredService("service", { platform, ...first });
  new MonitoredService("second", { platform, ...second });
};
