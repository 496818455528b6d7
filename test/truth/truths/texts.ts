/** How panels write numbers: the expected texts, as Grafana wrote the examples. Nothing here knows of the panels' units. */

export type Text = (value: number) => string;

/** A half is rounded up: of 4.125, 4.13. */
const fixed =
  (decimals: number): Text =>
  (value) =>
    (Math.round(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);

/** 0.0457, 4.57, 457; a whole number as it is: 2. */
const threeDigits: Text = (value) => (Number.isInteger(value) ? `${value}` : fixed(Math.max(0, 2 - Math.floor(Math.log10(value))))(value));

/** By the largest unit that is not above the value. */
const scaled =
  (units: readonly (readonly [from: number, unit: string])[], digits: Text): Text =>
  (value) => {
    const [from, unit] = units.findLast(([from]) => value >= from) ?? units[0] ?? [1, ""];
    return `${digits(value / (from || 1))}${unit}`;
  };

/** 12,346 */
export const whole: Text = (value) => Math.round(value).toLocaleString("en-US");

/** 457, 12.3 K, 4.57 Mil */
export const short = scaled(
  [
    [0, ""],
    [1e3, " K"],
    [1e6, " Mil"],
    [1e9, " Bil"],
  ],
  threeDigits,
);

/** With two decimals $4.22, $1.23K; without a number of them $0.0457. */
export const usd = (decimals?: number): Text => {
  const digits = decimals === undefined ? threeDigits : fixed(decimals);
  return (value) =>
    `$${scaled(
      [
        [0, ""],
        [1e3, "K"],
        [1e6, "M"],
      ],
      digits,
    )(value)}`;
};

/** 2.1% */
export const percent: Text = (value) => `${fixed(1)(100 * value)}%`;

/** 350.00 ms, 1.20 s, 1.87 mins */
export const time = scaled(
  [
    [1e-3, " ms"],
    [1, " s"],
    [60, " mins"],
  ],
  fixed(2),
);

/** Of a graph, whose axis has its own decimals: 0.350 s, $0.0457. */
export const seconds: Text = (value) => `${threeDigits(value)} s`;
export const dollars: Text = (value) => `$${threeDigits(value)}`;
