import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ledgerIdle } from "./child/protocol.ts";

let opened = 0;

export interface ProgressEntry {
  readonly task: number;
  readonly program: number;
}

/**
 * Two bytes that a child writes and the server reads: which program of which task of its batch is being evaluated. A
 * process that hangs inside the engine cannot be asked, and a message per task would cost more than the task.
 */
export class ProgressFile {
  readonly descriptor: number;
  #open = true;

  constructor() {
    opened += 1;
    const file = path.join(tmpdir(), `millrace-sandbox-${process.pid}-${opened}-${performance.now()}`);
    this.descriptor = openSync(file, "wx+", 0o600);
    writeSync(this.descriptor, new Uint8Array([ledgerIdle, 0]), 0, 2, 0);
    // Both sides have it open, so it needs no name.
    unlinkSync(file);
  }

  /** Undefined between tasks. */
  read(): ProgressEntry | undefined {
    if (!this.#open) return undefined;
    const bytes = new Uint8Array([ledgerIdle, 0]);
    readSync(this.descriptor, bytes, 0, 2, 0);
    const [task = ledgerIdle, program = 0] = bytes;
    return task === ledgerIdle ? undefined : { task, program };
  }

  close(): void {
    if (this.#open) closeSync(this.descriptor);
    this.#open = false;
  }
}
