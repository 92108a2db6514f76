import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ledgerIdle } from "./child/protocol.ts";

let opened = 0;

/**
 * One byte that a child writes and the server reads: which task of its batch it is evaluating. A process that hangs
 * inside the engine cannot be asked, and a message for each task would cost more than the task.
 */
export class Ledger {
  readonly descriptor: number;
  #open = true;

  constructor() {
    opened += 1;
    const file = path.join(tmpdir(), `millrace-sandbox-${process.pid}-${opened}-${performance.now()}`);
    this.descriptor = openSync(file, "wx+", 0o600);
    writeSync(this.descriptor, new Uint8Array([ledgerIdle]), 0, 1, 0);
    // Both sides hold it open; nobody else needs to find it.
    unlinkSync(file);
  }

  /** The number of the task being evaluated, or undefined between tasks. */
  read(): number | undefined {
    if (!this.#open) return undefined;
    const entry = new Uint8Array([ledgerIdle]);
    readSync(this.descriptor, entry, 0, 1, 0);
    return entry[0] === ledgerIdle ? undefined : entry[0];
  }

  close(): void {
    if (this.#open) closeSync(this.descriptor);
    this.#open = false;
  }
}
