/** `npm run demo`: reads its options, installs the packages that it requires, and starts it. */
import { endWith, readOptions } from "../../../src/cli/options";
import { installPackages, ownPackages } from "../../support/packages";

const usage = `Usage: npm run demo

Deploys the dashboards to this machine, with a day of telemetry on real Prometheus, Loki and Tempo, and lets a browser open them. Telemetry goes on
until Ctrl-C, which stops everything and deletes the data. A genuine Grafana takes the place of the stand-in if there is one on PATH, or after
npm run toolchain -- --grafana. Ready within a minute; the first run installs the servers, which takes 16 minutes where they must be built.

  DEMO_PORTS=1,2,3 variable: other ports than those of Pulumi.local.yaml, in their order: of the service, Grafana, and the servers behind it

Exit codes: 0 stopped, 1 failed.`;

async function main(): Promise<void> {
  readOptions(usage, {});
  for (const folder of ownPackages) await installPackages(folder);
  require("./demo");
}

main().catch(endWith(1));
