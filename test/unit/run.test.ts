/** The output of a command, and its part in an error. */
import { expect, it } from "vitest";
import { CommandError, type RunOptions, run } from "../support/run";

const fails = 'console.log("on standard output"); console.error("on standard error"); process.exitCode = 3';

async function errorOf(options: RunOptions): Promise<string> {
  const error = await run(process.execPath, ["-e", fails], options).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(CommandError);
  return (error as CommandError).output;
}

it("in an error is that of both streams: the Pulumi CLI reports errors on both", async () => {
  expect((await errorOf({})).split("\n").sort()).toEqual(["on standard error", "on standard output"]);
});

it("in an error omits standard output with secrets", async () => {
  expect(await errorOf({ secretOutput: true })).toBe("on standard error");
});

it("is decoded correctly if a character is split over two chunks", async () => {
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
