/** Progress of an installation, as lines for a terminal or a CI log. */
export class Progress {
  constructor(private readonly write: (line: string) => void = (line) => console.error(line)) {}

  log(line: string): void {
    this.write(`toolchain: ${line}`);
  }

  /** Logs the start, the elapsed time and the duration of an action. `detail` is added to each line with elapsed time. */
  async during<T>(action: string, work: () => Promise<T>, detail: () => string = () => ""): Promise<T> {
    const start = Date.now();
    const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
    this.log(`${action} …`);
    const timer = setInterval(() => this.log(`  … ${elapsed()}${detail()}`), 15_000);
    try {
      const result = await work();
      this.log(`  done in ${elapsed()}`);
      return result;
    } finally {
      clearInterval(timer);
    }
  }
}
