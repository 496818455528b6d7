/**
 * Loads TypeScript in every process of the project: `node -r ./src/load.cjs file.ts`. The program itself comes here by `main.cjs`.
 * Types are not checked; `npm run check` does that. The JavaScript of a file is cached until the file changes, because a preview loads some
 * forty files, and transpiling them takes a quarter of its time.
 */
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { join, resolve } = require("node:path");
const { version } = require("typescript/package.json");

// In node_modules: whoever can write there can change the packages, too.
const cache = resolve(__dirname, "../node_modules/.cache");
const tsconfig = readFileSync(resolve(__dirname, "../tsconfig.json"), "utf8");

// Node.js 22.1 and later also caches compiled code, that of the packages included: a tenth of a preview.
nodeModule.enableCompileCache?.(join(cache, "compiled"));
// Stack traces name lines of the TypeScript files. The newer function leaves the packages' source maps unread.
(nodeModule.setSourceMapsSupport ?? process.setSourceMapsEnabled)(true);

const hash = (...parts) => createHash("sha256").update(parts.join("\0")).digest("hex");

require.extensions[".ts"] = (module, file) => {
  const text = readFileSync(file, "utf8");
  const place = join(cache, "transpiled", `${hash(file)}.js`);
  // The last line. A file without it belongs to another version, or is incomplete.
  const mark = `\n//${hash(version, tsconfig, text)}`;
  let code = read(place);
  if (!code?.endsWith(mark)) {
    code = transpile(text, file) + mark;
    write(place, code);
  }
  module._compile(code, file);
};

/** @throws SyntaxError */
function transpile(text, fileName) {
  const ts = require("typescript");
  const { compilerOptions } = ts.parseConfigFileTextToJson("tsconfig.json", tsconfig).config;
  const { outputText, diagnostics } = ts.transpileModule(text, {
    fileName,
    compilerOptions: { ...compilerOptions, noEmit: false, inlineSourceMap: true },
    reportDiagnostics: true,
  });
  if (diagnostics.length === 0) return outputText;
  const host = { getCurrentDirectory: () => process.cwd(), getCanonicalFileName: (name) => name, getNewLine: () => "\n" };
  throw new SyntaxError(ts.formatDiagnostics(diagnostics, host).trim());
}

function read(place) {
  try {
    return readFileSync(place, "utf8");
  } catch {
    return undefined;
  }
}

/** Writes a file as a whole: other processes read it. Without write access, each process transpiles anew. */
function write(place, code) {
  const temporary = `${place}.${process.pid}`;
  try {
    mkdirSync(resolve(place, ".."), { recursive: true });
    writeFileSync(temporary, code);
    renameSync(temporary, place);
  } catch {}
}
