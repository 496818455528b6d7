/** Progress of long work as lines that read well in a terminal and in a CI log. */

export class Progress {
  constructor(
    private readonly write: (line: string) => void = (line) => console.error(line),
    /** Milliseconds between two signs of life. */
    private readonly interval = 15_000,
  ) {}

  say(line: string): void {
    this.write(`toolchain: ${line}`);
  }

  /** Says what begins, that it goes on, and how long it took. `detail` is asked for each sign of life. */
  async during<T>(what: string, work: () => Promise<T>, detail: () => string = () => ""): Promise<T> {
    const start = Date.now();
    const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
    this.say(`${what} …`);
    const timer = setInterval(() => this.say(`  … ${elapsed()}${detail()}`), this.interval);
    try {
      const result = await work();
      this.say(`  done in ${elapsed()}`);
      return result;
    } finally {
      clearInterval(timer);
    }
  }
}
