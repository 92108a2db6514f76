import type { Command } from "../context.ts";
import { openSandbox } from "../offline/open-sandbox.ts";

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
