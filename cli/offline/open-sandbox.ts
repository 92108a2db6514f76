import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createSandbox, type Sandbox } from "#lib/sandbox/sandbox.ts";

/** The sandbox, with its child from the bundle where this is one. Its child starts at once, beside everything else. */
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
