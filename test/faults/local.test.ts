/** `npm run local` after Ctrl-C as a terminal sends it, to all processes in the foreground, and with a reader of its output that ends. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { readGrafanaState } from "../sandbox/grafana/state";
import { pluginEnvironment } from "../sandbox/plugin-environment";
import { copyProject } from "../support/copy";
import { started } from "../support/stack";
import { canSeeProcesses, endAll, familyOf, type Process, survivors } from "./processes";

const folder = mkdtempSync(join(tmpdir(), "llm-observability-local-"));
let family: Process[] = [];

afterAll(() => {
  endAll(family);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a script in the copy. `text` is its standard output so far. */
async function start(script: string) {
  const env = { ...process.env, ...(await pluginEnvironment()) };
  const child = spawn("bash", ["-c", script], { cwd: folder, env, detached: true });
  const output = { text: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.text += chunk.toString("utf8");
  });
  return { ...started(child), output };
}

it.skipIf(!canSeeProcesses)(
  "Ctrl-C ends all processes, also the sandbox, and the next run continues, even if nobody reads its output",
  async () => {
    await copyProject(resolve(__dirname, "../.."), folder);
    const first = await start("exec npm run local");
    // Between its first line and its handler of signals, Ctrl-C would kill Pulumi, and its language host would stay for minutes.
    await vi.waitUntil(() => /Updating \(local\)[\s\S]* creating/.test(first.output.text), 200_000);
    family = familyOf(first.pid);
    expect(family.filter(({ command }) => command.includes("/pulumi up "))).toHaveLength(1);
    process.kill(-first.pid, "SIGINT");
    const { code, signal, output } = await first.ended;
    expect(code ?? signal).not.toBe(0);
    expect(output).not.toContain("Deployment\n");
    await vi.waitFor(() => expect(survivors(family)).toEqual([]), 30_000);

    const again = await (await start("npm run local | head -1; echo $PIPESTATUS")).ended;
    expect(again.output.trim().split("\n").at(-1)).toBe("0");
    expect(readGrafanaState(join(folder, ".local/grafana.json")).dashboards).toHaveLength(3);
  },
);
