/** The options of the npm scripts. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { shell } from "../text/sanitize";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** @param positionals how many arguments that are no options the command takes; @param failure its exit code for what it does not know */
type Limits = { positionals?: number; failure?: number };

/** Of the commands that work on one stack. */
export const stackOption = { stack: { type: "string", short: "s" } } as const;

/** A number of days from 1 to 30, such as `7` or `7d`; undefined for any other text. */
export function daysOf(text: string): number | undefined {
  const [, days] = /^([1-9]|[12]\d|30)d?$/.exec(text) ?? [];
  return days === undefined ? undefined : Number(days);
}

/** Reads the options of a command, or ends it: after `--help`, or with what it does not know. @param usage begins with the command */
export function readOptions<const T extends Options>(usage: string, options: T, { positionals: most = 0, failure = 1 }: Limits = {}) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { ...options, help: { type: "boolean", short: "h" } } });
    if ((values as { help?: boolean }).help) {
      console.log(usage.replace("\n\nExit codes:", "\n  -h, --help       print this text$&"));
      process.exit(0);
    }
    const unknown = positionals[most];
    if (unknown === undefined) return { values, positionals };
    throw new Error(shell`Unknown argument ${unknown}` + ("stack" in options ? shell`. Did you mean --stack ${unknown}?` : ""));
  } catch (error) {
    const [reason = ""] = (error as Error).message.split(". To specify");
    console.error(`${reason.replace(/[^.?]$/, "$&.")} Help: ${/npm run [\w-]+/.exec(usage)} -- --help`);
    process.exit(failure);
  }
}

/** Ends a command with the message of an error. */
export const endWith = (exitCode: number) => (error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = exitCode;
};
