import { singleton } from "#lib/platform/singleton.ts";

/** Who does the runs that nobody has, and what is due at its time: this server by its own timers, or Inngest. */
export interface Runtime {
  /** Begins what this process does beside answering requests. */
  start(): void;
  /** Begins nothing more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
  /**
   * Has runs done that were just stored or let go. Never rejects: what is not handed over now is found later.
   * `isLimited`: it is first to be seen whose turn it is among the runs of a flow.
   */
  dispatch(isLimited?: boolean): Promise<void>;
  /** Has deliveries sent that have just become due. Never rejects. */
  deliver(): Promise<void>;
  /** A run that was done while its caller waited has ended; or, where `isOver` is false, waits without a process. */
  ended(isOver: boolean): Promise<void>;
  /** Has a run looked at that something has woken, where no process has it in memory. Never rejects. */
  wake(executionId: string): Promise<void>;
}

const nothing = () => Promise.resolve();
/** Before the server has started: what is stored is found when it has. */
const none: Runtime = { start() {}, stop: nothing, dispatch: nothing, deliver: nothing, ended: nothing, wake: nothing };

const chosen = () => singleton("runtime", () => ({ runtime: none }));

/** This process's runtime. */
export function runtime(): Runtime {
  return chosen().runtime;
}

/** Said once, when the server starts. */
export function chooseRuntime(runtime: Runtime): void {
  chosen().runtime = runtime;
}
