/**
 * Prints the result of `npm run mutation` by folder. `npm run mutation:scores -- report.json earlier.json` also lists the mutants that only the
 * earlier run detected.
 */
import { readFileSync } from "node:fs";

interface Mutant {
  status: "Killed" | "Timeout" | "Survived" | "NoCoverage" | "Ignored" | "RuntimeError";
  mutatorName: string;
  replacement: string;
  location: { start: { line: number; column: number } };
}

interface Report {
  files: Record<string, { mutants: Mutant[] }>;
  testFiles: Record<string, { tests: unknown[] }>;
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Report;
const all = ({ files }: Report) => Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ file, ...mutant })));
const isDetected = ({ status }: Mutant) => status === "Killed" || status === "Timeout";
const nameOf = ({ file, location: { start }, mutatorName, replacement }: Mutant & { file: string }) =>
  `${file}:${start.line}:${start.column} ${mutatorName} ${JSON.stringify(replacement)}`;

const [file = "node_modules/.cache/mutation/report.json", earlier] = process.argv.slice(2);
const report = read(file);
const mutants = all(report).filter(({ status }) => !["Ignored", "RuntimeError"].includes(status));

console.log("| Folder | Mutants | Detected | Survived | Not executed | Score |\n|---|--:|--:|--:|--:|--:|");
for (const folder of ["src", ...new Set(mutants.map((mutant) => mutant.file.split("/").slice(0, 2).join("/")))].sort()) {
  const own = mutants.filter((mutant) => mutant.file === folder || mutant.file.startsWith(`${folder}/`));
  const [detected, executed] = [own.filter(isDetected).length, own.filter(({ status }) => status !== "NoCoverage").length];
  const counts = [own.length, detected, executed - detected, own.length - executed].join(" | ");
  console.log(`| ${folder === "src" ? "all" : `\`${folder}\``} | ${counts} | ${((100 * detected) / own.length).toFixed(1)} % |`);
}
const tests = Object.values(report.testFiles).map((each) => each.tests.length);
console.log(`\n${tests.reduce((sum, count) => sum + count, 0)} tests in ${tests.length} files execute mutants.`);
const undetected = new Set(mutants.filter((mutant) => !isDetected(mutant)).map(nameOf));
for (const name of earlier ? all(read(earlier)).filter(isDetected).map(nameOf) : []) if (undetected.has(name)) console.log(`lost: ${name}`);
