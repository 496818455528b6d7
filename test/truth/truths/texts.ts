/** How panels write numbers: the expected texts, as Grafana wrote the examples. Nothing here knows of the panels' units. */

export type Text = (value: number) => string;

/** A half is rounded up: of 4.125, 4.13. */
const fixed =
  (decimals: number): Text =>
  (value) =>
    (Math.round(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);

/** 0.0457, 4.57, 457; a whole number as it is: 2; below a millionth, 6.93e-7. */
const threeDigits: Text = (value) =>
  value < 1e-6 && value > 0
    ? `${Number(value.toPrecision(3))}`
    : Number.isInteger(value)
      ? `${value}`
      : fixed(Math.max(0, 2 - Math.floor(Math.log10(value))))(value);

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

/** 2.1%, 87% */
const share =
  (decimals: number): Text =>
  (value) =>
    `${fixed(decimals)(100 * value)}%`;
export const [percent, wholePercent] = [share(1), share(0)];

const duration =
  (digits: Text): Text =>
  (value) => {
    const [of, unit] = value < 1 ? [0.001, "ms"] : value < 60 ? [1, "s"] : [60, "mins"];
    return `${digits(value / of)} ${unit}`;
  };

/** 350.00 ms, 1.20 s, 1.87 mins */
export const time = duration(fixed(2));

/** Of a graph, whose axis has its own decimals: 350 ms, 1.20 s. */
export const seconds = duration(threeDigits);
