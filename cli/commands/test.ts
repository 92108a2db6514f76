import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createSandbox, type Sandbox } from "#lib/sandbox/sandbox.ts";
import type { Command } from "../context.ts";

/** Runs the tests in flow files, offline, against their recordings. */
export const test: Command<[readonly string[]], { readonly junit?: string }> = async (context, options, paths) => {
  // Starts the sandbox's process while everything else loads.
  const sandbox = openSandbox();
  try {
    const { testFlows } = await import("../offline/test-flows.ts");
    return await testFlows(context, { ...options, sandbox }, paths);
  } finally {
    await sandbox.close();
  }
};

/** Opens the sandbox; in the bundled program, its child is bundled, too. The child starts at once, in parallel. */
function openSandbox(): Sandbox {
  const bundled = fileURLToPath(new URL("./sandbox", import.meta.url));
  const sandbox = createSandbox({
    children: 1,
    isSmall: true,
    ...(existsSync(bundled) ? { childFolder: bundled } : {}),
  });
  sandbox.warm();
  return sandbox;
}
