// `npm start` and `npm run dev`. Runs on Node 20 with nothing installed; `--run <file>` runs another script the same way.
import { builtCommand } from "./built-programs.mjs";
import { runInCurrentNode } from "./current-node.mjs";
import { installWhenNeeded } from "./install.mjs";
import { projectDirectory } from "./places.mjs";

process.chdir(projectDirectory);
await installWhenNeeded();

const [option, file, ...rest] = process.argv.slice(2);
if (option === "--run" && file) await runInCurrentNode(builtCommand(file), rest);
else if (process.argv.includes("--dev")) await runInCurrentNode("scripts/server/serve.ts", process.argv.slice(2));
else await runInCurrentNode(builtCommand("scripts/server/serve.ts"), process.argv.slice(2));
