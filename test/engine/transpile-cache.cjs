/**
 * Keeps what ts-node makes of a file. Each command of a test stack starts several Node.js processes, which read the same TypeScript as those of
 * the command before; making JavaScript of it would be a third of their work.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join, resolve } = require("node:path");

const folder = resolve(__dirname, "../../node_modules/.cache/engine-tests");

/** The property in which ts-node announces itself. */
const announced = Symbol.for("ts-node.register.instance");

let service;
Object.defineProperty(process, announced, {
  get: () => service,
  set: (given) => {
    service = given;
    // The two that differ from stack to stack have no say in what is made.
    const { outDir: _, configFilePath: _file, ...options } = given.config.options;
    service.compile = keeping(given.compile, JSON.stringify([given.ts.version, options]));
  },
});

/** `compile`, asked only for what is not kept yet. */
function keeping(compile, settings) {
  return (code, file, ...others) => {
    const kept = join(folder, createHash("sha256").update([settings, file, code].join("\0")).digest("hex"));
    if (existsSync(kept)) return readFileSync(kept, "utf8");
    const output = compile(code, file, ...others);
    // Several stacks work at the same time: a file must be there as a whole.
    mkdirSync(folder, { recursive: true });
    const begun = `${kept}.${process.pid}`;
    writeFileSync(begun, output);
    renameSync(begun, kept);
    return output;
  };
}
