/**
 * `npm run preview-report`: what a deployment will change, as Markdown for the pull request.
 *
 * Exit codes: 0 nothing is blocked · 1 the input is unreadable or a preview failed · 2 an operation of `--fail-on` is among the changes.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Operation, operations } from "../report/counts";
import { onlyDrift } from "../report/drift";
import { code } from "../report/markdown";
import { type Preview, previewOf, readPreview, UnreadablePreview, unfinished } from "../report/read";
import { writeReport } from "../report/write";

const usage = `npm run preview-report -- [FILE | -] [--stack NAME ...] [--refresh | --drift] [--out FILE] [--fail-on OPERATION,...]

  FILE               what "pulumi preview --json" or "pulumi refresh --preview-only --json" printed; "-": standard input
  --stack NAME       run the preview of this stack; several stacks make one report
  --refresh          look for changes made outside of Pulumi first
  --drift            report only these; what the program itself changes is counted in one line
  --out FILE         write the report there; where it is cut, the whole is beside it, in FILE.whole.md
  --fail-on LIST     exit with 2 where one of these happens: ${operations.join(", ")}; what others did outside of Pulumi
                     counts as update or delete

Exit codes: 0 nothing is blocked, 1 the input is unreadable or a preview failed, 2 an operation of --fail-on is among the changes.`;

/** What was asked for wrongly. */
class UsageError extends Error {}

function main(): number {
  const { values, positionals } = readArguments();
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const failOn = (values["fail-on"] ?? "").split(",").filter(Boolean).map(operationOf);
  const stacks = values.stack ?? [];
  const [file = "-", ...others] = positionals;
  if (others.length > 0 || stacks.length > 0 === positionals.length > 0) throw new UsageError("Name either one file, or stacks");
  for (const option of ["refresh", "drift"] as const)
    if (values[option] && stacks.length === 0) throw new UsageError(`--${option} needs --stack`);
  const { drift = false, refresh = drift } = values;
  const all = stacks.length > 0 ? stacks.map((stack) => previewStack(stack, refresh)) : [read(file)];
  const previews = drift ? all.map(onlyDrift) : all;

  const wholeFile = values.out && `${values.out}.whole.md`;
  const { markdown, whole, blocked } = writeReport(previews, { failOn, ...(wholeFile && { whole: code(wholeFile) }) });
  if (values.out) writeFileSync(values.out, markdown);
  else process.stdout.write(markdown);
  if (wholeFile && whole !== markdown) writeFileSync(wholeFile, whole);
  if (previews.some(({ errors }) => errors.length > 0)) return 1;
  return blocked > 0 ? 2 : 0;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        stack: { type: "string", multiple: true },
        refresh: { type: "boolean" },
        drift: { type: "boolean" },
        out: { type: "string" },
        "fail-on": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function operationOf(word: string): Operation {
  const operation = operations.find((each) => each === word);
  if (!operation) throw new UsageError(`--fail-on knows no "${word}"`);
  return operation;
}

function read(file: string): Preview {
  return readPreview(readFileSync(file === "-" ? 0 : file, "utf8"));
}

/**
 * Runs the preview. One that fails still says why, on standard output as JSON where the engine came so far.
 *
 * A refresh runs the program, too: without that, it asks Grafana with the token that the last deployment stored. It is none of
 * `pulumi refresh --preview-only --json`, which does not describe a change of a folder's permissions.
 */
function previewStack(stack: string, refresh: boolean): Preview {
  const args = ["preview", "--json", "--non-interactive", "--stack", stack, ...(refresh ? ["--refresh", "--run-program"] : [])];
  const cli = require.resolve("pulumi/run.js");
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, ...args], { encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY });
  try {
    const preview = { ...readPreview(stdout, false), stack };
    const isExplained = status === 0 || preview.errors.some((error) => error !== unfinished);
    return isExplained ? preview : { ...preview, errors: [stderr.trim() || `pulumi ended with exit code ${status}`] };
  } catch (error) {
    if (!(error instanceof UnreadablePreview)) throw error;
    return { ...previewOf(stack, []), errors: [stderr.trim() || stdout.trim() || error.message] };
  }
}

try {
  process.exitCode = main();
} catch (error) {
  const known = error instanceof UsageError || error instanceof UnreadablePreview || (error as NodeJS.ErrnoException).code !== undefined;
  if (!known) throw error;
  const { message } = error as Error;
  console.error(error instanceof UsageError ? `${message}.\n\n${usage}` : `The preview cannot be read: ${message}`);
  process.exitCode = 1;
}
