import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A minute or more each, the longest first. One of them would otherwise be the last file to end, alone on a machine. */
const long = [
  ...["stories/ownership", "stories/readme", "faults/kill", "stories/drift", "stories/adoption", "faults/secrets"],
  ...["stories/connection", "stories/life"],
  ...["truth/demo", "truth/alerts/alerts", "truth/dashboards", "truth/alerts/replay"],
].map((name) => `/test/${name}.test.ts`);

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = long.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? long.length : place;
    };
    return [...files].sort((left, right) => rank(left) - rank(right));
  }
}
