/** The stand-in for the Grafana plugin: the differences that previews of the genuine one have, and that it refuses what it does not know. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { Operations } from "../../sandbox/plugins/operations";
import type { Values } from "../../sandbox/plugins/values";
import { recorded, recordings } from "../report/steps";

const plugin = new Operations(grafana, () => undefined);

// The stand-in does not know nested folders.
it.each(readdirSync(recordings).filter((file) => !file.includes("parent-folder")))("the differences of %s", (file) => {
  const { steps = [] } = JSON.parse(recorded(file).replaceAll('"[secret]"', "null"));
  for (const { urn, op, oldState, newState, diffReasons = [] } of steps) {
    // A refresh alone finds a new state, a deployment brings new inputs.
    const [found, given] = file.includes("preview-only") ? [newState, oldState] : [oldState, newState];
    if (!urn.includes("::grafana:") || !found?.outputs || !given?.inputs) continue;
    const { changed } = plugin.diff(urn, found.outputs, given.inputs);
    expect({ urn, op: changed.length > 0 ? "update" : op, changed }).toEqual({ urn, op, changed: diffReasons });
  }
});

it.each<[type: string, given: Values, reason: RegExp]>([
  ["oss/folder:Folder", { title: "Title", uid: "uid", parent: "x" }, /^Invalid or unknown key "parent"/],
  ["oss/folder:Folder", { uid: "uid" }, /^Missing required property 'title'/],
  ["alerting/ruleGroup:RuleGroup", { name: "g", folderUid: "f", intervalSeconds: 60, rules: [] }, /^Attribute rules requires 1 item/],
])("a %s with %j is refused", (type, given, reason) => {
  const { failures } = plugin.check(`urn:pulumi:test::project::grafana:${type}::name`, given);
  expect(failures).toEqual([{ property: expect.any(String), reason: expect.stringMatching(reason) }]);
});
