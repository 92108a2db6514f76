// How a start ends: by a signal, by a failure, or with its parent process.
import { BackupError, DatabaseError } from "#lib/errors.ts";
import { SettingsError } from "#lib/platform/env.ts";

const stopMsMax = 30_000;
/** A Ctrl-C reaches this process several times: from the terminal, from npm and from a process above. */
const sameSignalMs = 500;
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const killedCode = 137;

/** A reason not to start that the user can do something about: printed as one line. */
export class StartError extends Error {
  override readonly name = "StartError";
}

export class Stopping {
  readonly #log: (line: string) => void;
  readonly #actions: (() => Promise<void> | void)[] = [];
  #since: number | undefined;

  /** `isService`: a signal is its normal end. For any other command, a signal means failure. */
  constructor(log: (line: string) => void, { isService = true } = {}) {
    this.#log = log;
    for (const [signal, code] of Object.entries(signals)) {
      process.on(signal, () => this.#onSignal(code, isService ? 0 : code));
    }
    // Emitted when the parent process was killed: this one ends as if it had been killed too.
    process.on("disconnect", () => {
      if (this.#since === undefined) process.exit(killedCode);
    });
  }

  /** Called when stopping, last in first out. */
  onStop(action: () => Promise<void> | void): void {
    if (this.#since === undefined) this.#actions.push(action);
    else void action(); // What was being started when the signal came.
  }

  /** Prints why the start failed, undoes what it did and ends the process. */
  async fail(error: unknown): Promise<void> {
    if (this.#since !== undefined) return; // What is being stopped may fail.
    for (const line of linesOf(error)) console.error(line);
    await this.#stop(1);
  }

  /** Undoes what the start did and ends the process, which has done its work. */
  async end(): Promise<void> {
    if (this.#since === undefined) await this.#stop(0);
  }

  #onSignal(code: number, stoppedCode: number): void {
    if (this.#since === undefined) {
      this.#log("Stopping…");
      void this.#stop(stoppedCode);
    } else if (performance.now() - this.#since > sameSignalMs) {
      process.exit(code);
    }
  }

  async #stop(code: number): Promise<void> {
    this.#since = performance.now();
    setTimeout(() => {
      console.error(`Not everything stopped within ${stopMsMax / 1000} seconds.`);
      process.exit(1);
    }, stopMsMax).unref();
    for (const action of this.#actions.reverse()) {
      try {
        await action();
      } catch (error) {
        console.error(error);
      }
    }
    process.exit(code);
  }
}

function linesOf(error: unknown): readonly unknown[] {
  if (error instanceof SettingsError) return error.lines;
  const isExpected = error instanceof StartError || error instanceof DatabaseError || error instanceof BackupError;
  return [isExpected ? error.message : error];
}
