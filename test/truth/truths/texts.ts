/** How panels write numbers: the expected texts, as Grafana wrote the examples. Nothing here knows of the panels' units. */

export type Text = (value: number) => string;

/** A half is rounded up: of 4.125, 4.13. */
const fixed =
  (decimals: number): Text =>
  (value) =>
    (Math.round(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);

/** 0.0457, 4.57, 457; a whole number as it is: 2. */
const threeDigits: Text = (value) => (Number.isInteger(value) ? `${value}` : fixed(Math.max(0, 2 - Math.floor(Math.log10(value))))(value));

const thousands =
  (suffixes: readonly string[], digits: Text): Text =>
  (value) => {
    const power = Math.max(
      0,
      suffixes.findLastIndex((_, index) => value >= 1000 ** index),
    );
    return `${digits(value / 1000 ** power)}${suffixes[power]}`;
  };

/** 12,346 */
export const whole: Text = (value) => Math.round(value).toLocaleString("en-US");

/** 457, 12.3 K, 4.57 Mil */
export const short = thousands(["", " K", " Mil", " Bil"], threeDigits);

/** With two decimals $4.22, $1.23K; without a number of them $0.0457. */
export const usd =
  (decimals?: number): Text =>
  (value) =>
    `$${thousands(["", "K", "M"], decimals === undefined ? threeDigits : fixed(decimals))(value)}`;

/** 2.1% */
export const percent: Text = (value) => `${fixed(1)(100 * value)}%`;

/** 350.00 ms, 1.20 s, 1.87 mins */
export const time: Text = (value) => {
  const [of, unit] = value < 1 ? [0.001, "ms"] : value < 60 ? [1, "s"] : [60, "mins"];
  return `${fixed(2)(value / of)} ${unit}`;
};

/** Of a graph, whose axis has its own decimals: 0.350 s, $0.0457. */
export const seconds: Text = (value) => `${threeDigits(value)} s`;
export const dollars: Text = (value) => `$${threeDigits(value)}`;
