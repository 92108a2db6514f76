import { randomUUID } from "node:crypto";
import { singleton } from "#lib/platform/singleton.ts";

/** Drives pending runs and everything that is due: this server with its own timers, or Inngest. */
export interface Runtime {
  /** Starts this process's background work. */
  start(): void;
  /** Drains: starts nothing more, and resolves when work in progress has ended. */
  stop(): Promise<void>;
  /**
   * Starts runs that were just stored or suspended. Never rejects: runs that are missed now are found later.
   * `isLimited`: runs admission first.
   */
  dispatch(isLimited?: boolean): Promise<void>;
  /** Sends deliveries that have just become due. Never rejects. */
  deliver(): Promise<void>;
  /** Begins backtests that were just stored. Never rejects. */
  backtest(): Promise<void>;
  /** A run whose caller waited has ended or, if `isOver` is false, waits without a process. */
  ended(isOver: boolean): Promise<void>;
  /** Resumes a woken run that no process has in memory. Never rejects. */
  wake(executionId: string): Promise<void>;
}

const nothing = () => Promise.resolve();
/** Used before the server has started: it then finds everything that is stored. */
const none: Runtime = {
  start() {},
  stop: nothing,
  dispatch: nothing,
  deliver: nothing,
  backtest: nothing,
  ended: nothing,
  wake: nothing,
};

const chosen = () => singleton("runtime", () => ({ runtime: none }));

/** This process's runtime. */
export function runtime(): Runtime {
  return chosen().runtime;
}

/** Called once, when the server starts. */
export function chooseRuntime(runtime: Runtime): void {
  chosen().runtime = runtime;
}

/** This process's name in leases. Unique, so that a restarted process has a different one. */
export function processName(): string {
  return singleton("process-name", () => `${process.pid}.${randomUUID()}`);
}
