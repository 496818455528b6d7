/** Installs the tool that the environment describes, as a process of its own that a test can kill. */
import { ensure } from "../../support/toolchain/install";

void ensure(JSON.parse(process.env.TEST_TOOL ?? ""));
