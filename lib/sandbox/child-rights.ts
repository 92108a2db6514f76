import { realpathSync } from "node:fs";
import path from "node:path";

export interface ChildRights {
  readonly main: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: readonly string[];
}

/**
 * What a child is started with: no environment, and of the disk only its own code. User code has no way to ask for
 * either; this is for the day when somebody finds a way out of the engine.
 */
export function childRights(): ChildRights {
  // Found from the working directory: the server's own modules are bundled and have no address of use here.
  const root = /* turbopackIgnore: true */ process.cwd();
  const inRoot = (...parts: string[]) => realpathSync(path.join(/* turbopackIgnore: true */ root, ...parts));
  const cwd = inRoot("lib", "sandbox", "child");
  const packages = inRoot("node_modules");
  const readable = [cwd, path.join(packages, "quickjs-emscripten-core"), path.join(packages, "@jitl")];
  return {
    main: path.join(cwd, "main.ts"),
    cwd,
    env: Object.create(null),
    execArgv: [
      "--permission",
      ...readable.map((place) => `--allow-fs-read=${place}`),
      // For the watchdog thread, which has the same rights as the process.
      "--allow-worker",
      // A pair with the guest's stack, see child/guest.ts.
      "--stack-size=4000",
      "--max-old-space-size=96",
      "--max-semi-space-size=2",
      "--disable-warning=ExperimentalWarning",
      "--disable-warning=SecurityWarning",
    ],
  };
}
