import type { SandboxAnswer, SandboxResult, TaskMessage } from "./child/protocol.ts";

/** A task: queued, in a batch, or settled. */
export class QueuedTask {
  readonly message: TaskMessage;
  /** Owners take turns. */
  readonly owner: string;
  readonly chars: number;
  settled = false;
  /** Children that died, other than at a deadline, while evaluating it. */
  crashes = 0;
  /** Children that died before it was known which task was to blame. */
  unexplainedCrashes = 0;
  /** It was in a batch behind a task that had to be killed and may be dangerous itself: it is sent alone. */
  alone = false;
  onSettled: (() => void) | undefined;
  readonly #resolve: (answer: SandboxAnswer) => void;
  readonly #reject: (reason: unknown) => void;

  constructor(
    { message, owner }: { message: TaskMessage; owner: string },
    resolve: (answer: SandboxAnswer) => void,
    reject: (reason: unknown) => void,
  ) {
    this.message = message;
    this.owner = owner;
    this.chars = message.texts.reduce((sum, text) => sum + text.length, 0);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  answer(answer: SandboxAnswer): void {
    if (this.#settle()) this.#resolve(answer);
  }

  fail(name: string, message: string): void {
    const result: SandboxResult = { ok: false, error: { kind: "limit", name, message, position: null } };
    this.answer({ results: this.message.programs.map(() => result), logs: [] });
  }

  giveUp(reason: unknown): void {
    if (this.#settle()) this.#reject(reason);
  }

  #settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.onSettled?.();
    return true;
  }
}
