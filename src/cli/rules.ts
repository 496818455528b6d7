/** `npm run rules`: writes the rules of a stack, for a Prometheus or a Mimir that evaluates them. */
import { rmSync, writeFileSync } from "node:fs";
import { shell } from "../text/sanitize";
import { endWith, readOptions, stackOption } from "./options";
import { ruleTexts } from "./rule-files";
import { readStack } from "./stack";

const usage = `Usage: npm run rules -- --stack NAME

Writes the recording rules and the alert rules of a stack to rules.NAME.yaml and alerts.NAME.yaml, which Git ignores. Run it again after
each change of the stack's config or of the checkout.

  -s, --stack NAME the stack

Exit codes: 0 written, 1 failed.`;

function main(): void {
  const { stack } = readOptions(usage, stackOption).values;
  if (!stack) throw new Error("Name the stack: npm run rules -- --stack NAME");
  const { settings } = readStack(stack);
  const texts = ruleTexts(settings, shell`npm run rules -- --stack ${stack}`);
  for (const [kind, text] of Object.entries(texts)) {
    const file = `${kind}.${stack.replaceAll("/", ".")}.yaml`;
    // A file of former settings would be loaded by mistake.
    rmSync(file, { force: true });
    if (text !== undefined) writeFileSync(file, text);
    console.log(text !== undefined ? `Written: ${file}` : `No ${file}: with its settings, stack ${stack} has no ${kind} of its own.`);
  }
  console.log("How to load them: src/settings/README.md#recording-rules");
  if (settings.alerts.state === "on")
    console.log("Grafana evaluates the alerts of this stack. Load no file of alerts: they would be sent twice.");
  if (!texts.rules || settings.dashboards.recordingRules === "external") return;
  console.log("Grafana evaluates the recording rules of this stack. Two that do would count twice. To leave them to Prometheus or Mimir:");
  console.log(shell`  npx pulumi config set recordingRules external --stack ${stack}\n  npx pulumi up --stack ${stack}`);
}

Promise.resolve().then(main).catch(endWith(1));
