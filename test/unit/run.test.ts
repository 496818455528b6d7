/** What a command's output is, and what its error shows of it. */
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

it("is read as a whole: a character may come in two pieces", async () => {
  // The password of an export, say, cut where a pipe's buffer ended.
  const writes = `
    const text = Buffer.from("pässwörd €");
    const write = (stream, at) => at < text.length && stream.write(text.subarray(at, at + 1), () => setTimeout(write, 10, stream, at + 1));
    write(process.stdout, 0);
    write(process.stderr, 0);`;
  const pieces: string[] = [];
  expect(await run(process.execPath, ["-e", writes], { onOutput: (text) => pieces.push(text) })).toBe("pässwörd €");
  expect([...pieces.join("")].sort()).toEqual([..."pässwörd €".repeat(2)].sort());
});
