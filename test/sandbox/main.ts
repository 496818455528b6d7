/**
 * Starts the sandbox as a process of its own: the stand-ins for what a local run needs. Sends its parent a message once it listens.
 *
 * Arguments: --service-url, the address to listen on; --state, the folder that keeps what was received; --alive, a file with whose
 * removal the sandbox ends; --keep, to live on when the parent has ended. Environment: SANDBOX_SERVICE_API_KEY, the key that the service accepts.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createService } from "./service";

const text = { type: "string" } as const;
const options = { "service-url": text, state: text, alive: text, keep: { type: "boolean" } } as const;
const { "service-url": serviceUrl, state, alive, keep } = parseArgs({ options }).values;
const { SANDBOX_SERVICE_API_KEY: apiKey } = process.env;
if (!serviceUrl || !state || !alive || !apiKey) {
  throw new Error("sandbox: --service-url, --state, --alive and SANDBOX_SERVICE_API_KEY are needed");
}

const { hostname, port } = new URL(serviceUrl);
createService({ apiKey, stateFile: join(state, "service.json") }).listen(Number(port), hostname, () => process.send?.("ready"));

if (!keep) process.once("disconnect", () => process.exit(0));
setInterval(() => {
  if (!existsSync(alive)) process.exit(0);
}, 250);
