import type { StartedFlow, StartRequest } from "#lib/executions/store/new-execution.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** How runs start others and wake them; set when the server starts. */
export interface RunSignals {
  /** Stores a run and starts it. */
  start(flow: StartedFlow, request: Omit<StartRequest, "leaseOwner" | "limit">): Promise<unknown>;
  /** Resumes a run whose row says that it was woken. */
  woken(executionId: string): void | Promise<void>;
}

export function runSignals(): RunSignals {
  return singleton("run-signals", () => ({
    start: () => Promise.reject(new Error("no runtime has been started")),
    woken: () => {},
  }));
}
