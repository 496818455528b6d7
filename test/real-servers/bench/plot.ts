/** Draws plots as SVG: lines on two logarithmic axes, readable on light and dark pages. */

export interface Line {
  name: string;
  color: string;
  points: [x: number, y: number][];
}

export interface Plot {
  title: string;
  x: string;
  y: string;
  /** Marks on the axis and their texts. */
  xMarks: [value: number, text: string][];
  yMarks: [value: number, text: string][];
  lines: Line[];
}

const [width, height] = [420, 300];
const margin = { left: 56, right: 16, top: 58, bottom: 44 };

/** Plots side by side. */
export function svg(plots: readonly Plot[]): string {
  const parts = plots.map((plot, index) => `<g transform="translate(${index * width} 0)">${draw(plot)}</g>`);
  const style = "text{font:12px sans-serif;fill:#57606a}@media(prefers-color-scheme:dark){text{fill:#9198a1}}";
  const title = escaped(plots.map((plot) => plot.title).join("; "));
  const size = `width="${plots.length * width}" height="${height}" viewBox="0 0 ${plots.length * width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><title>${title}</title><style>${style}</style>${parts.join("")}</svg>\n`;
}

function draw({ title, x, y, xMarks, yMarks, lines }: Plot): string {
  const across = scale(xMarks, margin.left, width - margin.right);
  const up = scale(yMarks, height - margin.bottom, margin.top);
  const text = (at: [number, number], words: string, more = "") => `<text x="${at[0]}" y="${at[1]}"${more}>${escaped(words)}</text>`;
  const rule = (x1: number, y1: number, x2: number, y2: number) =>
    `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#8c959f" stroke-opacity=".35"/>`;
  return [
    text([margin.left, 16], title, ' font-weight="bold"'),
    ...lines.map(({ name, color }, index) => {
      const left = margin.left + (index * (width - margin.left)) / lines.length;
      return `<path d="M${left} 34h18" stroke="${color}" stroke-width="2.5"/>${text([left + 24, 38], name)}`;
    }),
    ...yMarks.map(
      ([value, label]) =>
        rule(margin.left, up(value), width - margin.right, up(value)) + text([margin.left - 6, up(value) + 4], label, ' text-anchor="end"'),
    ),
    ...xMarks.map(
      ([value, label]) =>
        rule(across(value), margin.top, across(value), height - margin.bottom) +
        text([across(value), height - margin.bottom + 16], label, ' text-anchor="middle"'),
    ),
    text([(margin.left + width - margin.right) / 2, height - 8], x, ' text-anchor="middle"'),
    text([14, margin.top - 8], y),
    ...lines.map(({ color, points }) => {
      const positions = points.map(([px, py]) => `${across(px)} ${up(py)}`);
      const dots = points.map(([px, py]) => `<circle cx="${across(px)}" cy="${up(py)}" r="3.5" fill="${color}"/>`);
      return `<path d="M${positions.join("L")}" fill="none" stroke="${color}" stroke-width="2.5"/>${dots.join("")}`;
    }),
  ].join("");
}

/** From values to pixels: from the first mark at `start` to the last at `end`. */
function scale(marks: readonly [number, string][], start: number, end: number): (value: number) => number {
  const [low, high] = [marks[0]?.[0] ?? 1, marks.at(-1)?.[0] ?? 10].map(Math.log) as [number, number];
  return (value) => Number((start + ((Math.log(value) - low) / (high - low)) * (end - start)).toFixed(1));
}

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
