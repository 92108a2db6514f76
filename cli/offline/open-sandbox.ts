import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createSandbox, type Sandbox } from "#lib/sandbox/sandbox.ts";

/** Opens the sandbox; in the bundled program, its child is bundled, too. The child starts at once, in parallel. */
export function openSandbox(): Sandbox {
  const bundled = fileURLToPath(new URL("./sandbox", import.meta.url));
  const sandbox = createSandbox({
    children: 1,
    isSmall: true,
    ...(existsSync(bundled) ? { childFolder: bundled } : {}),
  });
  sandbox.warm();
  return sandbox;
}
