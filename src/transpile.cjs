/**
 * How ts-node makes JavaScript of a file (see tsconfig.json): as it would by itself, but what was made is kept until the file changes. A preview
 * reads some forty files, and making all of them anew would be a quarter of its work.
 */
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join, resolve } = require("node:path");
const ts = require("typescript");

// Among the packages, which whoever can write here could change as well.
const folder = resolve(__dirname, "../node_modules/.cache/transpiled");

// Node 22 and newer keep also what they made of the JavaScript, of the packages, too: a tenth of a preview.
require("node:module").enableCompileCache?.(resolve(folder, "../compiled"));

const hash = (...parts) => createHash("sha256").update(parts.join("\0")).digest("hex");

/** Called by ts-node for each kind of module. */
exports.create = ({ service }) => {
  // The two that differ from place to place have no say in what is made.
  const { outDir: _, configFilePath: _file, ...compilerOptions } = service.config.options;
  const settings = JSON.stringify([ts.version, compilerOptions]);
  return {
    transpile(text, { fileName }) {
      const place = join(folder, `${hash(fileName, settings)}.json`);
      const key = hash(settings, text);
      const kept = read(place);
      if (kept?.key === key) return kept;
      const made = ts.transpileModule(text, { fileName, compilerOptions, reportDiagnostics: true });
      if (made.diagnostics.length === 0) keep(place, { key, outputText: made.outputText, sourceMapText: made.sourceMapText });
      return made;
    },
  };
};

function read(place) {
  try {
    return JSON.parse(readFileSync(place, "utf8"));
  } catch {
    return undefined; // Not there, or not whole: it is made again.
  }
}

/** Several processes work at the same time: a file must be there as a whole. */
function keep(place, made) {
  const begun = `${place}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(begun, JSON.stringify(made));
    renameSync(begun, place);
  } catch {
    // Where nothing can be written, each start makes it anew.
  }
}
