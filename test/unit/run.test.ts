/** What a failed command's error shows of its output. */
import { expect, it } from "vitest";
import { CommandError, type RunOptions, run } from "../../src/cli/run";

const fails = 'console.log("on standard output"); console.error("on standard error"); process.exitCode = 3';

async function errorOf(options: RunOptions): Promise<string> {
  const error = await run(process.execPath, ["-e", fails], options).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(CommandError);
  return (error as CommandError).output;
}

it("is both streams, for the Pulumi CLI says on either why it failed", async () => {
  expect((await errorOf({})).split("\n").sort()).toEqual(["on standard error", "on standard output"]);
});

it("is not standard output where that holds secrets", async () => {
  expect(await errorOf({ secretOutput: true })).toBe("on standard error");
});
