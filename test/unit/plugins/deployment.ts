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

/** A step in the JSON of a preview. */
export interface Step {
  op: string;
  name: string;
  detailedDiff: Record<string, { kind: string; inputDiff: boolean }> | null;
  diffReasons?: string[];
  oldState?: { id: string; inputs: Values; outputs: Values };
  newState?: { id?: string; inputs: Values; outputs?: Values };
}

export interface Preview {
  steps: Step[];
  /** The part of changeSummary that counts the resources of the plugin. */
  changes: Record<string, number>;
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

  /** Restores the state afterwards. */
  async only<T>(look: () => Promise<T>): Promise<T> {
    const before = new Map(this.state);
    try {
      return await look();
    } finally {
      this.state = before;
    }
  }

  /** `pulumi refresh --preview-only --json`: a changed resource is an update only if the plugin returns a detailed diff. */
  refreshPreview(): Promise<Preview> {
    return this.only(async () => {
      const before = new Map(this.state);
      await this.refresh();
      const preview: Preview = { steps: [], changes: {} };
      for (const [name, old] of before) {
        const [read, oldState] = [this.state.get(name), plainOf(old)];
        // It compares the new state with the old inputs, and inverts the result.
        const diff = read && this.plugin.diff(urnOf(old.type, name), read.outputs, old.inputs);
        const op = diff ? opOf(diff) : "delete";
        count(preview, op);
        if (!read || !diff) preview.steps.push({ op, name, detailedDiff: null, oldState });
        else if (op === "same" || !diff.details) {
          preview.steps.push({ op: "refresh", name, detailedDiff: null, oldState, newState: oldState });
        } else {
          const detailedDiff = detailsOf(diff, { add: "delete", delete: "add", update: "update" });
          preview.steps.push({ op, name, detailedDiff, diffReasons: diff.changed, oldState, newState: plainOf(read) });
        }
      }
      return preview;
    });
  }

  /** `pulumi preview --json --refresh`. */
  preview(program: readonly Declared[]): Promise<Preview> {
    return this.only(async () => {
      const preview: Preview = { steps: [], changes: {} };
      for (const [name, old] of this.state) {
        preview.steps.push({ op: "refresh", name, detailedDiff: null, oldState: plainOf(old), newState: plainOf(old) });
      }
      await this.refresh();
      for (const { type, name, inputs: given } of program) {
        const old = this.state.get(name);
        if (!old) throw new Error(`${name} is not deployed`);
        const { inputs } = this.plugin.check(urnOf(type, name), old.inputs, sent(given));
        const diff = this.plugin.diff(urnOf(type, name), old.outputs, inputs);
        const op = opOf(diff);
        count(preview, op);
        const newState = { inputs: reveal(inputs) as Values };
        const detailedDiff = detailsOf(diff, { add: "add", delete: "delete", update: "update" });
        if (op !== "same") preview.steps.push({ op, name, detailedDiff, diffReasons: diff.changed, oldState: plainOf(old), newState });
      }
      return preview;
    });
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

function count({ changes }: Preview, op: string): void {
  changes[op] = (changes[op] ?? 0) + 1;
}

/** As in the JSON of the engine; null without a detailed diff. */
function detailsOf({ details }: Diff, kinds: Record<"add" | "delete" | "update", string>): Step["detailedDiff"] {
  const shown = Object.entries(details ?? {}).map(([path, { kind, replace }]) => {
    return [path, { kind: replace ? `${kinds[kind]}-replace` : kinds[kind], inputDiff: false }];
  });
  return details ? Object.fromEntries(shown) : null;
}
