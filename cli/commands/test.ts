import type { Command } from "../context.ts";
import { openSandbox } from "../offline/open-sandbox.ts";

/** Runs the tests in flows' texts: offline, over what they recorded. */
export const test: Command<[readonly string[]], { readonly junit?: string }> = async (context, options, paths) => {
  // Its process starts while everything else is loaded.
  const sandbox = openSandbox();
  try {
    const { testFlows } = await import("../offline/test-flows.ts");
    return await testFlows(context, { ...options, sandbox }, paths);
  } finally {
    await sandbox.close();
  }
};
