// `npm run check`: what a change must pass before it is tested. Runs on Node 20 with nothing installed.
import { runInCurrentNode } from "./current-node.mjs";
import { installWhenNeeded } from "./install.mjs";
import { projectDirectory } from "./places.mjs";

process.chdir(projectDirectory);
await installWhenNeeded();
await runInCurrentNode("scripts/testing/run-checks.ts");
