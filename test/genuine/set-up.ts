/** Before the tests: prints the release of Grafana, or fails. */
import { ask, genuineGrafana } from "./grafana";

export default async function setup(): Promise<void> {
  const { url } = genuineGrafana();
  const { status, body } = await ask("/api/orgs");
  if (status !== 200)
    throw new Error(
      `Grafana at ${url} returned ${status} to GET /api/orgs: the variables must have the credentials of a server administrator.`,
    );
  const health = await ask("/api/health");
  console.log(`test:genuine: Grafana ${health.body.version} at ${url}, with ${body.length} organizations`);
}
