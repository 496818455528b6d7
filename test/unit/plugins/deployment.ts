/** As much of the engine as the order of its calls takes: no dependencies but by the order of a program, no parallelism. */
import { fromStruct, reveal, toStruct, type Values } from "../../sandbox/plugins/values";
import { Halfway, type Kinds, type Plugin } from "./plugin";

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
  detailedDiff: Kinds | null;
  diffReasons?: string[];
  oldState?: { id: string; inputs: Values; outputs: Values };
  newState?: { id?: string; inputs: Values; outputs?: Values };
}

export interface Preview {
  steps: Step[];
  /** The part of changeSummary that counts the resources of the plugin. */
  changes: Record<string, number>;
}

export class Deployment {
  state = new Map<string, Kept>();

  /** @param plugin that of the moment: a rotated token is another one */
  constructor(public plugin: Plugin) {}

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
        const read = await this.plugin.read(old.type, old.id, old.outputs, old.inputs);
        if (read) this.state.set(name, { type: old.type, ...read });
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
        const read = this.state.get(name);
        const { op, changed, details } = read ? await this.plugin.diff(old.type, read.outputs, old.inputs) : deleted;
        count(preview, op);
        const oldState = plainOf(old);
        if (op === "same" || (op === "update" && !details)) {
          preview.steps.push({ op: "refresh", name, detailedDiff: null, oldState, newState: oldState });
        } else if (read) {
          const detailedDiff = inverted(details ?? {});
          preview.steps.push({ op, name, detailedDiff, diffReasons: changed, oldState, newState: plainOf(read) });
        } else preview.steps.push({ op, name, detailedDiff: null, oldState });
      }
      return preview;
    });
  }

  /** `pulumi preview --json [--refresh]`. */
  preview(program: readonly Declared[], { refresh = false } = {}): Promise<Preview> {
    return this.only(async () => {
      const preview: Preview = { steps: [], changes: {} };
      if (refresh) {
        for (const [name, old] of this.state) {
          preview.steps.push({ op: "refresh", name, detailedDiff: null, oldState: plainOf(old), newState: plainOf(old) });
        }
        await this.refresh();
      }
      for (const { type, name, inputs: given } of program) {
        const old = this.state.get(name);
        const { inputs } = await this.plugin.check(type, name, fromStruct(toStruct(given)), old?.inputs);
        const newState = { inputs: reveal(inputs) as Values };
        const { op, changed, details } = old ? await this.plugin.diff(type, old.outputs, inputs) : created;
        count(preview, op);
        if (!old) preview.steps.push({ op, name, detailedDiff: null, newState });
        else if (op !== "same") {
          preview.steps.push({ op, name, detailedDiff: details ?? null, diffReasons: changed, oldState: plainOf(old), newState });
        }
      }
      return preview;
    });
  }

  /** The last resource first. */
  async destroy(): Promise<void> {
    for (const [name, { type, id, outputs }] of [...this.state].reverse()) {
      await this.plugin.delete(type, id, outputs);
      this.state.delete(name);
    }
  }

  /** Properties without the marks of secrets. */
  plain(name: string): Plain {
    return plainOf(this.state.get(name) ?? { id: "", inputs: {}, outputs: {} });
  }

  private async step({ type, name, inputs: given, import: importId }: Declared): Promise<string> {
    const old = this.state.get(name) ?? (importId === undefined ? undefined : await this.import(type, importId));
    const { inputs, failures } = await this.plugin.check(type, name, fromStruct(toStruct(given)), old?.inputs);
    if (failures.length > 0) throw new Error(failures.join("; "));
    const keeping = async (work: Promise<{ id: string; outputs: Values }>) => {
      try {
        this.state.set(name, { type, inputs, ...(await work) });
      } catch (error) {
        if (error instanceof Halfway) this.state.set(name, { type, inputs, id: error.id, outputs: error.outputs, failed: true });
        throw error;
      }
    };
    if (!old) {
      await keeping(this.plugin.create(type, name, inputs));
      return "create";
    }
    const { op } = await this.plugin.diff(type, old.outputs, inputs);
    if (op.startsWith("replace")) throw new Error("no replacements here");
    const updates = op === "update" || old.failed;
    // An update cannot change the id of the engine.
    const work = updates ? this.plugin.update(type, old.id, old.outputs, inputs) : Promise.resolve(old.outputs);
    await keeping(work.then((outputs) => ({ id: old.id, outputs })));
    return importId === undefined ? (updates ? "update" : op) : `import, ${op}`;
  }

  private async import(type: string, id: string): Promise<Kept> {
    const read = await this.plugin.read(type, id);
    if (!read) throw new Error(`resource '${id}' does not exist`);
    return { type, ...read };
  }
}

const deleted = { op: "delete", changed: [], details: undefined };
const created = { op: "create", changed: [], details: undefined };

type Plain = Pick<Kept, "id" | "inputs" | "outputs">;

const plainOf = ({ id, inputs, outputs }: Plain) => reveal({ id, inputs, outputs }) as Plain;

function count({ changes }: Preview, op: string): void {
  changes[op] = (changes[op] ?? 0) + 1;
}

/** A refresh compares the new state with the old inputs: the engine inverts the result. */
const inverted = (details: Kinds): Kinds =>
  Object.fromEntries(
    Object.entries(details).map(([path, { kind, inputDiff }]) => [
      path,
      { kind: kind === "add" ? "delete" : kind === "delete" ? "add" : kind, inputDiff },
    ]),
  );
