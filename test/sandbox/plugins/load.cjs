/**
 * Runs a TypeScript file: node load.cjs <file> <arguments of the program>. What was made of a file is kept, for without that three quarters of a
 * plugin's start are spent on it, and the engine starts each plugin anew in each command.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join, resolve } = require("node:path");

const cache = resolve(__dirname, "../../../node_modules/.cache/sandbox-plugins");

require.extensions[".ts"] = (module, file) => {
  const text = readFileSync(file, "utf8");
  const kept = join(cache, `${createHash("sha256").update(text).digest("hex")}.js`);
  if (!existsSync(kept)) {
    const ts = require("typescript");
    const compilerOptions = {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
      inlineSourceMap: true,
    };
    const { outputText } = ts.transpileModule(text, { fileName: file, compilerOptions });
    mkdirSync(cache, { recursive: true });
    // Plugins start at the same time: a file must be there as a whole.
    writeFileSync(`${kept}.${process.pid}`, outputText);
    renameSync(`${kept}.${process.pid}`, kept);
  }
  module._compile(readFileSync(kept, "utf8"), file);
};

process.argv.splice(1, 2, resolve(process.argv[2]));
require(process.argv[1]);
