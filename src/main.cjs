/** Pulumi's entry point (`main` in package.json): loads the program in the working folder, which is the folder of the project. */
require("./load.cjs");
// Pulumi's SDK sets a function that does not find the source maps of transpiled code.
Error.prepareStackTrace = undefined;
module.exports = require(require("node:path").resolve("index.ts"));
