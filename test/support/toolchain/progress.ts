/** Progress of an installation, as lines for a terminal or a CI log. */
export const log = (line: string) => console.error(`toolchain: ${line}`);

/** Logs the start, the elapsed time and the duration of an action. `detail` tells how far it is. */
export async function during<T>(action: string, work: () => Promise<T>, detail: () => string): Promise<T> {
  const start = Date.now();
  const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
  log(`${action} …`);
  const timer = setInterval(() => log(`  … ${elapsed()}, ${detail()}`), 15_000);
  try {
    const result = await work();
    log(`  done in ${elapsed()}, ${detail()}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
