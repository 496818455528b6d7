/** An example: two monitored services on one platform. The second one differs in its name and its own address. */
import * as pulumi from "@pulumi/pulumi";
import { platformArgs, serviceArgs } from "../../../src/arguments";
import { ObservabilityPlatform } from "../../../src/platform/platform";
import { MonitoredService } from "../../../src/platform/service";
import { readSettings } from "../../../src/settings";

const settings = readSettings();
const platform = new ObservabilityPlatform("platform", platformArgs(settings));
const first = serviceArgs(settings, pulumi.getProject());

new MonitoredService("service", { platform, ...first });
new MonitoredService("second", {
  platform,
  ...first,
  service: "other",
  connection: { ...first.connection, serviceUrl: `${settings.serviceUrl}/other` },
});
