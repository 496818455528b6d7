/** The correction of a mistyped word. */
import { distance } from "fastest-levenshtein";

/** How many edits (a letter added, removed or replaced) still count as a typing error. Two swapped letters are two edits. */
const tolerated = (candidate: string) => (candidate.length < 6 ? 1 : 2);

/** The candidate that is nearest to `word`, case aside; undefined where none is near, or where two are as near as each other. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const written = word.trim().toLowerCase();
  const [first, second] = candidates
    .filter((candidate) => Math.abs(candidate.length - written.length) <= tolerated(candidate))
    .map((candidate) => ({ candidate, edits: distance(written, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= tolerated(candidate))
    .sort((one, other) => one.edits - other.edits);
  return first && first.edits !== second?.edits ? first.candidate : undefined;
}
