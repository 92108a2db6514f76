// How a start ends: by a signal, by a failure, or with its parent process.
import { BackupError, DatabaseError } from "#lib/errors.ts";
import { SettingsError } from "#lib/platform/env.ts";

const stopMsMax = 30_000;
/** A Ctrl-C reaches this process several times: from the terminal, from npm and from a process above. */
const sameSignalMs = 500;
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const killedCode = 137;

/** A reason not to start that the person who starts can do something about: told in one line. */
export class StartError extends Error {
  override readonly name = "StartError";
}

export class Stopping {
  readonly #say: (line: string) => void;
  readonly #actions: (() => Promise<void> | void)[] = [];
  #since: number | undefined;

  /** `isService`: a signal is how it ends. Anything else that a signal ends was not done, and fails. */
  constructor(say: (line: string) => void, { isService = true } = {}) {
    this.#say = say;
    for (const [signal, code] of Object.entries(signals)) {
      process.on(signal, () => this.#onSignal(code, isService ? 0 : code));
    }
    // Emitted when the process above was killed: then this one was meant.
    process.on("disconnect", () => {
      if (this.#since === undefined) process.exit(killedCode);
    });
  }

  /** Called when stopping; the last one given is called first. */
  onStop(action: () => Promise<void> | void): void {
    if (this.#since === undefined) this.#actions.push(action);
    else void action(); // What was being started when the signal came.
  }

  /** Tells why the start failed, undoes what it did and ends the process. */
  async fail(error: unknown): Promise<void> {
    if (this.#since !== undefined) return; // What is being stopped may fail.
    for (const line of linesOf(error)) console.error(line);
    await this.#stop(1);
  }

  /** Undoes what the start did, and ends the process: what it was for is done. */
  async end(): Promise<void> {
    if (this.#since === undefined) await this.#stop(0);
  }

  #onSignal(code: number, stoppedCode: number): void {
    if (this.#since === undefined) {
      this.#say("Stopping…");
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
  const isTold = error instanceof StartError || error instanceof DatabaseError || error instanceof BackupError;
  return [isTold ? error.message : error];
}
