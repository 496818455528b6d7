/** Blocks of text for a terminal. */

/** Prints a block with a title. Pairs are aligned. */
export function section(title: string, lines: readonly (string | readonly [string, string])[]): void {
  const width = Math.max(...lines.map((line) => (typeof line === "string" ? 0 : line[0].length)));
  console.log(`\n${title}`);
  for (const line of lines) console.log(`  ${typeof line === "string" ? line : `${line[0].padEnd(width)}  ${line[1]}`}`.trimEnd());
}
