/** As much of the engine as the order of its calls takes: no dependencies but by the order of a program, no parallelism. */
import { fromStruct, reveal, toStruct, type Values } from "../../sandbox/plugins/values";
import type { Plugin } from "./plugin";

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
}

/** What was done, by the names of resources, and what failed. */
export interface Outcome {
  steps: Record<string, string>;
  errors: Record<string, string>;
}

export class Deployment {
  readonly state = new Map<string, Kept>();

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

  /** The last resource first. */
  async destroy(): Promise<void> {
    for (const [name, { type, id, outputs }] of [...this.state].reverse()) {
      await this.plugin.delete(type, id, outputs);
      this.state.delete(name);
    }
  }

  /** Properties without the marks of secrets. */
  plain(name: string): { inputs: Values; outputs: Values } {
    const { inputs, outputs } = this.state.get(name) ?? { inputs: {}, outputs: {} };
    return reveal({ inputs, outputs }) as { inputs: Values; outputs: Values };
  }

  private async step({ type, name, inputs: given, import: importId }: Declared): Promise<string> {
    const old = this.state.get(name) ?? (importId === undefined ? undefined : await this.import(type, importId));
    const { inputs, failures } = await this.plugin.check(type, name, fromStruct(toStruct(given)), old?.inputs);
    if (failures.length > 0) throw new Error(failures.join("; "));
    if (!old) {
      this.state.set(name, { type, inputs, ...(await this.plugin.create(type, name, inputs)) });
      return "create";
    }
    const { op } = await this.plugin.diff(type, old.outputs, inputs);
    if (op.startsWith("replace")) throw new Error("no replacements here");
    const outputs = op === "update" ? await this.plugin.update(type, old.id, old.outputs, inputs) : old.outputs;
    this.state.set(name, { type, id: String(outputs.id ?? old.id), inputs, outputs });
    return importId === undefined ? op : `import, ${op}`;
  }

  private async import(type: string, id: string): Promise<Kept> {
    const read = await this.plugin.read(type, id);
    if (!read) throw new Error(`resource '${id}' does not exist`);
    return { type, ...read };
  }
}
