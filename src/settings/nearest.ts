/** The correction of a mistyped word. */
import { distance } from "fastest-levenshtein";

/** The maximum number of edits (a letter added, removed or replaced) of a typing error. */
const maxEdits = (candidate: string) => (candidate.length < 6 ? 1 : 2);

/** The candidate nearest to `word`, ignoring case; undefined if none is near, or if two are equally near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const written = word.trim().toLowerCase();
  const [first, second] = candidates
    .filter((candidate) => Math.abs(candidate.length - written.length) <= maxEdits(candidate))
    .map((candidate) => ({ candidate, edits: distance(written, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate))
    .sort((one, other) => one.edits - other.edits);
  return first && first.edits !== second?.edits ? first.candidate : undefined;
}
