/** As much of the engine as the order of its calls takes: no dependencies but by the order of a program, no parallelism. */
import type { Diff } from "../../sandbox/plugins/diff";
import type { Operations } from "../../sandbox/plugins/operations";
import { Halfway, type State } from "../../sandbox/plugins/resource";
import { reveal, type Values } from "../../sandbox/plugins/values";

export interface Declared {
  type: string;
  name: string;
  inputs: Values;
  /** The name of a resource without which this one is not tried. */
  needs?: string;
  /** The id of one that exists already. */
  import?: string;
}

export interface Kept {
  type: string;
  id: string;
  inputs: Values;
  outputs: Values;
  /** The last operation failed: the next deployment updates the resource, also without a diff. */
  failed?: boolean;
}

/** The completed operations, by the names of the resources, and the errors. */
export interface Outcome {
  steps: Record<string, string>;
  errors: Record<string, string>;
}

/** The part of a step in the JSON of a preview that the plugin decides. */
export interface Difference {
  op: string;
  /** Null without a detailed diff. */
  detailedDiff: Record<string, { kind: string; inputDiff: boolean }> | null;
  diffReasons: string[];
}

/** Values as the engine gets and gives them. */
const sent = <T>(values: T): T => JSON.parse(JSON.stringify(values)) as T;

export const urnOf = (type: string, name: string): string => `urn:pulumi:test::project::${type}::${name}`;

/** The operation of the engine. */
export function opOf({ changed, replaces, deleteBeforeReplace }: Diff): string {
  if (changed.length === 0) return "same";
  return replaces.length === 0 ? "update" : deleteBeforeReplace ? "replace, delete first" : "replace";
}

export class Deployment {
  state = new Map<string, Kept>();

  /** @param plugin that of the moment: a rotated token is another one */
  // biome-ignore lint/suspicious/noExplicitAny: a deployment knows nothing of the provider's clients.
  constructor(public plugin: Operations<any>) {}

  async up(program: readonly Declared[]): Promise<Outcome> {
    const outcome: Outcome = { steps: {}, errors: {} };
    for (const declared of program) {
      if (declared.needs && declared.needs in outcome.errors) continue;
      try {
        outcome.steps[declared.name] = await this.step(declared);
      } catch (error) {
        outcome.errors[declared.name] = (error as Error).message;
      }
    }
    return outcome;
  }

  async refresh(): Promise<Outcome> {
    const outcome: Outcome = { steps: {}, errors: {} };
    for (const [name, old] of this.state) {
      try {
        const read = await this.plugin.read(urnOf(old.type, name), old.id, old.outputs, old.inputs);
        if (read) this.state.set(name, { type: old.type, ...sent(read) });
        else this.state.delete(name);
        outcome.steps[name] = read ? "read" : "gone";
      } catch (error) {
        outcome.errors[name] = (error as Error).message;
      }
    }
    return outcome;
  }

  /** The differences of `pulumi preview --json`, by the names of changed resources. */
  differences(program: readonly Declared[]): Record<string, Difference> {
    const all = program.map(({ type, name, inputs: given }): [string, Difference] => {
      const { inputs: olds, outputs } = this.state.get(name) ?? { inputs: {}, outputs: {} };
      const diff = this.plugin.diff(urnOf(type, name), outputs, this.plugin.check(urnOf(type, name), olds, sent(given)).inputs);
      const details = Object.entries(diff.details ?? {}).map(([path, { kind, replace }]) => {
        return [path, { kind: replace ? `${kind}-replace` : kind, inputDiff: false }];
      });
      return [name, { op: opOf(diff), detailedDiff: diff.details ? Object.fromEntries(details) : null, diffReasons: diff.changed }];
    });
    return Object.fromEntries(all.filter(([, { op }]) => op !== "same"));
  }

  /** The last resource first. */
  async destroy(): Promise<void> {
    for (const [name, { type, id, outputs }] of [...this.state].reverse()) {
      await this.plugin.delete(urnOf(type, name), id, outputs);
      this.state.delete(name);
    }
  }

  /** Properties without the marks of secrets. */
  plain(name: string): Plain {
    return plainOf(this.state.get(name) ?? { id: "", inputs: {}, outputs: {} });
  }

  private async step({ type, name, inputs: given, import: importId }: Declared): Promise<string> {
    const urn = urnOf(type, name);
    const imported = importId === undefined ? undefined : await this.plugin.read(urn, importId, {}, {});
    const old = this.state.get(name) ?? (imported && { type, ...sent(imported) });
    const { inputs, failures } = this.plugin.check(urn, old?.inputs ?? {}, sent(given));
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
    const keeping = async (work: Promise<State>) => {
      try {
        this.state.set(name, { type, inputs, ...sent(await work) });
      } catch (error) {
        if (error instanceof Halfway) this.state.set(name, { type, inputs, ...sent(error.state), failed: true });
        throw error;
      }
    };
    if (!old) {
      await keeping(this.plugin.create(urn, inputs));
      return "create";
    }
    const op = opOf(this.plugin.diff(urn, old.outputs, inputs));
    if (op.startsWith("replace")) throw new Error("no replacements here");
    const updates = op === "update" || old.failed;
    // An update cannot change the id of the engine.
    const { id, outputs } = old;
    await keeping((updates ? this.plugin.update(urn, id, outputs, inputs) : Promise.resolve(outputs)).then((outputs) => ({ id, outputs })));
    return imported ? `import, ${op}` : updates ? "update" : op;
  }
}

type Plain = Pick<Kept, "id" | "inputs" | "outputs">;

const plainOf = ({ id, inputs, outputs }: Plain) => reveal({ id, inputs, outputs }) as Plain;
