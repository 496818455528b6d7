/** `npm run preview-report`: reports the changes of a deployment, or drift, as Markdown for a pull request. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { limit as backtestLimit } from "../backtest/words";
import { warnVariable } from "../platform/warn-variable";
import { code } from "../report/markdown";
import { type Operation, operations, type Preview, parsePreview, unfinished } from "../report/parse-preview";
import { maxCharacters, renderReport } from "../report/render";
import { parseJson } from "../text/json";
import { shell } from "../text/sanitize";
import { daysOf, endWith, readOptions } from "./options";
import { runPulumi } from "./pulumi";

const usage = `Usage: npm run preview-report -- [FILE | -] [--stack NAME ...] [--refresh | --drift] [--backtest DAYS] [--out FILE]
                                  [--limit NUMBER] [--fail-on OPERATION,...]

  FILE             JSON output of "pulumi preview --json"; "-" reads standard input
  -s, --stack NAME run the preview of this stack; repeat the option for a report of several stacks
  --refresh        compare the state with Grafana first
  --drift          report only changes made outside of Pulumi; implies --refresh
  --backtest DAYS  also report what changed alert rules would have done in the last days, such as 7: ${backtestLimit.text}
  --out FILE       write the report to this file; if it exceeds the limit, write the full report to FILE.full.md
  --limit NUMBER   the most characters of the report; ${maxCharacters} by default, which fit into a GitHub comment
  --fail-on LIST   exit with 2 if one of these operations occurs: ${operations.join(", ")}; drift counts as update or delete

Exit codes: 0 no operation of --fail-on occurs, 1 the input cannot be read or a preview failed, 2 an operation of --fail-on occurs.`;

const help = " Help: npm run preview-report -- --help";

async function main() {
  const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
  const stack = { ...text, short: "s", multiple: true } as const;
  const options = { stack, refresh: flag, drift: flag, backtest: text, out: text, limit: text, "fail-on": text };
  const { values, positionals } = readOptions(usage, options, { positionals: 1 });
  const failOn = (values["fail-on"] ?? "").split(",").filter(Boolean) as Operation[];
  for (const word of failOn) if (!operations.includes(word)) throw new Error(`--fail-on does not support the operation "${word}".${help}`);
  const { drift = false, refresh = drift, stack: stacks = [] } = values;
  const [file = "-"] = positionals;
  if (file !== "-" && !existsSync(file)) throw new Error(shell`No file ${file}. Did you mean --stack ${file}?` + help);
  if (stacks.length > 0 === positionals.length > 0) throw new Error(`Pass either one FILE or --stack NAME.${help}`);
  if (refresh && stacks.length === 0) throw new Error(`--refresh and --drift require --stack.${help}`);
  const days = daysOf(values.backtest ?? "");
  if (values.backtest !== undefined && !(days && stacks.length > 0 && !drift))
    throw new Error(`--backtest requires 1 to 30 days, and --stack without --drift.${help}`);
  if (!/^([1-9]\d{3,})?$/.test(values.limit ?? "")) throw new Error(`--limit requires a number of at least 1000 characters.${help}`);
  if (drift) process.env[warnVariable] = "warn";
  const previews =
    stacks.length > 0 ? stacks.map((stack) => runPreview(stack, refresh)) : [parsePreview(readFileSync(file === "-" ? 0 : file, "utf8"))];
  for (const preview of previews) {
    if (days === undefined || preview.errors.length > 0) continue;
    // These load the settings, and Pulumi's SDK.
    const { pastOfChanges } = require("../backtest/changes") as typeof import("../backtest/changes");
    const { readStack } = require("./stack") as typeof import("./stack");
    preview.past = await pastOfChanges(preview, days, () => readStack(preview.stack ?? ""));
  }

  const fullFile = values.out && `${values.out}.full.md`;
  const limit = Number(values.limit || maxCharacters);
  const { markdown, full, blocked } = renderReport(previews, { drift, failOn, limit, ...(fullFile && { fullReport: code(fullFile) }) });
  if (values.out) writeFileSync(values.out, markdown);
  else process.stdout.write(markdown);
  if (fullFile && full !== markdown) writeFileSync(fullFile, full);
  if (previews.some(({ errors }) => errors.length > 0)) process.exitCode = 1;
  else if (blocked > 0) process.exitCode = 2;
}

/** Runs the preview of a stack. If it fails, the result contains the errors. */
function runPreview(stack: string, refresh: boolean): Preview {
  // Without the program, a refresh would use the Grafana token of the last deployment.
  const args = ["preview", "--json", "--non-interactive", "--stack", stack, ...(refresh ? ["--refresh", "--run-program"] : [])];
  const { stdout, stderr, status } = runPulumi(...args);
  // A preview that fails early, or is killed, writes no complete JSON.
  const isJson = parseJson(stdout) !== undefined;
  const preview = { ...parsePreview(isJson ? stdout : '{"diagnostics":[]}'), stack };
  const isExplained = (isJson && status === 0) || preview.errors.some((error) => error !== unfinished);
  return isExplained ? preview : { ...preview, errors: [stderr.trim() || `pulumi exited with code ${status}`] };
}

main().catch(endWith(1));
