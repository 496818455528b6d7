/**
 * `npm run rules -- --stack NAME`: writes the recording rules and the alert rules of a stack to `rules.NAME.yaml` and `alerts.NAME.yaml`, for a Prometheus or
 * a Mimir that evaluates them. Git ignores the files: the stack's config and the commit make them, so that each change of one requires them again.
 *
 * Exit codes: 0 written; 1 failed.
 */
import { rmSync, writeFileSync } from "node:fs";
import { shell } from "../text/sanitize";
import { ruleTexts } from "./rule-files";
import { endWith, parseStackOptions, readStack } from "./stack";

function main(): void {
  const { stack } = parseStackOptions("rules", {});
  if (!stack) throw new Error("Name the stack: npm run rules -- --stack NAME");
  const { settings } = readStack(stack);
  for (const [kind, text] of Object.entries(ruleTexts(settings, shell`npm run rules -- --stack ${stack}`))) {
    const file = `${kind}.${stack.replaceAll("/", ".")}.yaml`;
    // Not that of other settings.
    rmSync(file, { force: true });
    if (text !== undefined) writeFileSync(file, text);
    console.log(text !== undefined ? `Written: ${file}` : `No ${file}: with its settings, stack ${stack} has no ${kind} of its own.`);
  }
  console.log("How to load them: src/settings/README.md#recording-rules");
  if (settings.dashboards.recordingRules === "external") return;
  console.log("Grafana evaluates the recording rules of this stack. Two that do would count twice. To leave them to Prometheus or Mimir:");
  console.log(shell`  npx pulumi config set recordingRules external --stack ${stack}\n  npx pulumi up --stack ${stack}`);
}

Promise.resolve().then(main).catch(endWith(1));
