// `npm test`: every check and every test; `npm test -- unit|api|browser|check [pattern]` runs a part. Runs on Node 20 with
// nothing installed.
import { runInCurrentNode } from "./current-node.mjs";
import { installWhenNeeded } from "./install.mjs";
import { projectDirectory } from "./places.mjs";

process.chdir(projectDirectory);
await installWhenNeeded();
await runInCurrentNode("scripts/testing/run-tests.ts", process.argv.slice(2));
