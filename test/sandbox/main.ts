/**
 * Starts the sandbox as a process of its own: the stand-ins for what a local run needs. Says `ready` on standard output once it listens.
 *
 * Arguments: --service-url, the address to listen on; --state, the folder that keeps what was received.
 * Environment: SANDBOX_SERVICE_API_KEY, the key that the service accepts.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createService } from "./service";

const { values } = parseArgs({ options: { "service-url": { type: "string" }, state: { type: "string" } } });
const { SANDBOX_SERVICE_API_KEY: apiKey } = process.env;
const { "service-url": serviceUrl, state } = values;
if (!serviceUrl || !state || !apiKey) throw new Error("sandbox: --service-url, --state and SANDBOX_SERVICE_API_KEY are needed");

mkdirSync(state, { recursive: true });
const { hostname, port } = new URL(serviceUrl);
const service = createService({ apiKey, stateFile: join(state, "service.json") });
service.once("error", (error) => {
  console.error(`sandbox: ${error.message}`);
  process.exit(1);
});
service.listen(Number(port), hostname, () => console.log("ready"));
