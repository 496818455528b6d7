/** Arcs of a pie chart or a donut as SVG paths. Pure. */

export interface Arc {
  path: string;
  /** The middle of the ring's part, where its label stands. */
  middle: { x: number; y: number };
  /** The part of the whole, from 0 to 1. */
  share: number;
}

/** The arcs of values around the origin, clockwise from the top. Values of 0 and below have an empty path. */
export function arcsOf(values: readonly number[], outer: number, inner: number): Arc[] {
  const sum = values.reduce((total, value) => total + Math.max(0, value), 0);
  let before = 0;
  return values.map((value) => {
    const share = sum > 0 ? Math.max(0, value) / sum : 0;
    const [start, end] = [before, before + share];
    before = end;
    return { share, path: share > 0 ? ring(start, end, outer, inner) : "", middle: point((start + end) / 2, (outer + inner) / 2) };
  });
}

function ring(start: number, end: number, outer: number, inner: number): string {
  // An arc whose ends are equal is nothing in SVG: a full ring has two halves.
  if (end - start > 0.9999) return ring(start, start + 0.5, outer, inner) + ring(start + 0.5, start + 0.999999, outer, inner);
  const large = end - start > 0.5 ? 1 : 0;
  const to = (command: string, turn: number, radius: number) => `${command}${coordinates(point(turn, radius))}`;
  const arc = (radius: number, sweep: 0 | 1, turn: number) =>
    `A${radius} ${radius} 0 ${large} ${sweep} ${coordinates(point(turn, radius))}`;
  return `${to("M", start, outer)}${arc(outer, 1, end)}${inner > 0 ? `${to("L", end, inner)}${arc(inner, 0, start)}` : "L0 0"}Z`;
}

/** A point at a part of a full turn. */
const point = (turn: number, radius: number) => ({ x: radius * Math.sin(turn * 2 * Math.PI), y: -radius * Math.cos(turn * 2 * Math.PI) });

const coordinates = ({ x, y }: { x: number; y: number }) => `${x.toFixed(3)} ${y.toFixed(3)}`;
