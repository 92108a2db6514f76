import type { StartedFlow, StartRequest } from "#lib/executions/store/new-execution.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";

/**
 * The runtime's port for the rooms below it: starts runs, wakes waiting ones, and provides the sandbox. Set when the
 * server starts.
 */
export interface RunSignals {
  /** Stores a run and starts it. */
  start(flow: StartedFlow, request: Omit<StartRequest, "leaseOwner" | "limit">): Promise<unknown>;
  /** Resumes a run whose row says that it was woken. */
  woken(executionId: string): void | Promise<void>;
  /** Where expressions are evaluated. */
  sandbox(): Sandbox;
}

export function runSignals(): RunSignals {
  return singleton("run-signals", () => ({
    start: () => Promise.reject(new Error("no runtime has been started")),
    woken: () => {},
    sandbox: () => {
      throw new Error("no runtime has been started");
    },
  }));
}
