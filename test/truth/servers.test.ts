/** The servers end with the process that started them, even if it is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";

it("the servers and their data disappear when the starting process is killed", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-killed-"));
  const script = `require(${JSON.stringify(join(__dirname, "servers.ts"))}).startServers().then((servers) => console.log(JSON.stringify(servers)))`;
  const starter = spawn(process.execPath, ["-r", "./src/load.cjs", "-e", script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = (await once(starter.stdout, "data")) as [Buffer];
  const { prometheus, loki, tempo } = JSON.parse(output.toString()) as Record<"prometheus" | "loki" | "tempo", string>;
  const isAnswering = (url: string) => fetch(`${url}/ready`).then(Boolean, () => false);
  const answering = () => Promise.all([prometheus, loki, tempo].map(isAnswering));
  expect(await answering()).toEqual([true, true, true]);
  const stored = () => readdirSync(folder).filter((name) => name.startsWith("llm-observability-servers-"));
  expect(stored()).toHaveLength(1);

  starter.kill("SIGKILL");
  await vi.waitFor(async () => expect(await answering()).toEqual([false, false, false]), { timeout: 20_000, interval: 200 });
  await vi.waitFor(() => expect(stored()).toEqual([]), { timeout: 20_000, interval: 200 });
  rmSync(folder, { recursive: true });
});
