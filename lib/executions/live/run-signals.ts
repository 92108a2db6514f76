import type { StartedFlow, StartRequest } from "#lib/executions/store/new-execution.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** What the runtime does for runs that start or wake others; set when the server starts. */
export interface RunSignals {
  /** Stores a run and has it done. */
  start(flow: StartedFlow, request: Omit<StartRequest, "leaseOwner" | "limit">): Promise<unknown>;
  /** Has a run go on whose row says that something has woken it. */
  woken(executionId: string): void | Promise<void>;
}

export function runSignals(): RunSignals {
  return singleton("run-signals", () => ({
    start: () => Promise.reject(new Error("no runtime has been started")),
    woken: () => {},
  }));
}
