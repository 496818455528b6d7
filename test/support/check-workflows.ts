/** Checks the GitHub workflows with actionlint, which it installs first, and their scripts with shellcheck, if it is on PATH. */
import { endWith } from "../../src/cli/options";
import { run } from "./run";
import { locate } from "./toolchain/locate";
import { actionlintTool } from "./toolchain/servers";

// The scripts write Markdown: backticks in single quotes are meant literally.
const env = { ...process.env, SHELLCHECK_OPTS: "--exclude=SC2016" };

locate(actionlintTool())
  .then((actionlint) => run(actionlint, [], { env, inherit: true }))
  .catch(endWith(1));
