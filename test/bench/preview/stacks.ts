/** The stacks of the compared previews: deployed and without changes. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { TestStack } from "../../support/stack";
import { pulumiTool } from "../../support/toolchain/pulumi";
import { literals } from "./literals";
import { type Cost, measure } from "./measure";
import type { Contestant } from "./rounds";

const bin = join(pulumiTool().folder, "bin");

/** A stack that is deployed, by this repository's program or another one. */
export async function deployed(
  config: Record<string, string>,
  program?: { file: string; variables: Record<string, string> },
): Promise<TestStack> {
  const stack = await TestStack.create(config);
  if (program) {
    stack.useProgram(program.file);
    Object.assign(stack.environment, program.variables);
  }
  await stack.up();
  return stack;
}

/** A copy of a deployed stack in which the bare program declares the same resources. */
export async function bareOf(whole: TestStack): Promise<TestStack> {
  const bare = whole.copy({});
  bare.useProgram(join(__dirname, "bare.ts"));
  const exported = await whole.pulumi("stack", "export", "--show-secrets");
  writeFileSync(join(bare.folder, "literals.json"), JSON.stringify(literals(exported)));
  return bare;
}

/** A copy of a deployed stack whose program can be edited. */
export function editedOf(whole: TestStack): TestStack {
  const edited = whole.copy({});
  ownCopy(join(edited.folder, "index.ts"), (text) => text);
  return edited;
}

/** The same with Pulumi's default loader: it checks the types of all files after each edit. */
export function typeCheckedOf(whole: TestStack): TestStack {
  const checked = editedOf(whole);
  ownCopy(join(checked.folder, "package.json"), (text) => JSON.stringify({ ...JSON.parse(text), main: "index.ts" }));
  ownCopy(join(checked.folder, "Pulumi.yaml"), (text) => text.replace("typescript: false", "typescript: true"));
  return checked;
}

/** Replaces a link by a changed copy. */
function ownCopy(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, "utf8");
  rmSync(file);
  writeFileSync(file, change(text));
}

export interface ContestantOptions {
  /** The folder of another Node.js than that on PATH. */
  node?: string | undefined;
  /** Whether the program is edited before each preview. */
  edited?: boolean;
}

/** @throws Error if its preview has changes, because the comparison would be wrong */
export async function contestant(name: string, stack: TestStack, options: ContestantOptions = {}): Promise<Contestant> {
  const { node, edited } = options;
  const operations = await stack.preview();
  if (operations.length > 0) throw new Error(`the preview of ${name} has changes: ${operations.join(", ")}`);
  const path = [...(node ? [node] : []), bin, stack.environment.PATH].join(delimiter);
  const place = { cwd: stack.folder, env: { ...stack.environment, PATH: path } };
  const run = (): Promise<Cost> => {
    if (edited) appendFileSync(join(stack.folder, "index.ts"), "// An edit.\n");
    return measure(join(bin, "pulumi"), ["preview", "--stack", "test", "--non-interactive"], place);
  };
  return { name, run };
}
