/** Pulumi's entry point (`main` in package.json): the program of the project's folder, in which Pulumi starts it, loaded like every script. */
require("./load.cjs");
// Pulumi's SDK sets a function that does not find the source maps of transpiled code.
Error.prepareStackTrace = undefined;
module.exports = require(require("node:path").resolve("index.ts"));
