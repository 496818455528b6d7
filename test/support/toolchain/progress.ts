/** Progress of an installation, or of the start of the demo, as lines for a terminal or a CI log. */
export const log = (line: string) => console.error(`toolchain: ${line}`);

/** Logs the start, the elapsed time and the duration of an action. */
export async function during<T>(action: string, work: () => Promise<T>, say = log): Promise<T> {
  const start = Date.now();
  const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
  say(`${action} …`);
  const timer = setInterval(() => say(`${action} … ${elapsed()}`), 15_000);
  try {
    const result = await work();
    say(`${action}: done in ${elapsed()}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
