/** The summary of `npm run local`. */
import { describe, expect, it } from "vitest";
import { describeChanges } from "../sandbox/local/changes";

describe("the engine's operations as a sentence", () => {
  it.each<[Record<string, number>, string]>([
    [{ same: 13 }, "nothing changed: 13 resources"],
    [{ create: 13 }, "13 created, 0 unchanged"],
    [{ update: 2, replace: 1, delete: 1, import: 1, same: 8 }, "2 updated, 1 replaced, 1 deleted, 1 imported, 8 unchanged"],
    [{ read: 1, refresh: 2, discard: 3, same: 1 }, "1 read, 2 refreshed, 3 no longer read, 1 unchanged"],
    [
      { "create-replacement": 1, "delete-replaced": 1, "import-replacement": 1, "read-replacement": 1, "discard-replaced": 1 },
      "1 created as replacement, 1 deleted after replacement, 1 imported as replacement, 1 read as replacement, 1 no longer read after replacement, 0 unchanged",
    ],
    [{ "remove-pending-replace": 1 }, "1 removed after replacement, 0 unchanged"],
    [{ "new-operation": 2, same: 1 }, "2 new-operation, 1 unchanged"],
  ])("%j", (changes, sentence) => {
    expect(describeChanges(changes)).toBe(sentence);
  });
});
