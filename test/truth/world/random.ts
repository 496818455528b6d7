/** Random values from one seeded generator. */
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

export class Random {
  private readonly generator: RandomGenerator;

  constructor(seed: number) {
    this.generator = xoroshiro128plus(seed);
  }

  /** From `min` to `max`, both included. */
  integer = (min: number, max: number): number => uniformInt(this.generator, min, max);

  /** From 0 to 1, 1 excluded. */
  fraction = (): number => uniformFloat64(this.generator);

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }

  /** Log-uniform from `min` to `max`. */
  magnitude = (min: number, max: number): number => min * (max / min) ** this.fraction();

  exponential = (mean: number): number => -mean * Math.log(1 - this.fraction());

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.integer(0, 255).toString(16).padStart(2, "0")).join("");
  }
}
