/** Progress of the demo: one line for each phase, with its duration. */

/** How often a phase that takes long says so, in milliseconds. */
const interval = 10_000;

/** Runs one part of the start. Prints its name and duration when it is done. */
export async function phase<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  const seconds = (digits: number) => ((Date.now() - start) / 1000).toFixed(digits);
  const timer = setInterval(() => console.log(`demo: ${name} … ${seconds(0)} s`), interval);
  try {
    const result = await work();
    console.log(`demo: ${name.padEnd(42)}${seconds(1).padStart(6)} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
