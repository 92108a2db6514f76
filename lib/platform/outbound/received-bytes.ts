/** Smaller chunks are copied into blocks of this size. */
const blockBytes = 16_384;

/**
 * Collects bytes as they arrive. The sender decides how they are divided: a million chunks of one byte, kept as they
 * came, would take hundreds of times their size, and long to join.
 */
export class ReceivedBytes {
  size = 0;
  readonly #parts: Uint8Array[] = [];
  #block: Buffer | undefined;
  /** The bytes of the block that are taken. */
  #filled = 0;

  add(chunk: Uint8Array): void {
    // Most bodies are one chunk, which is not copied.
    if (this.size === 0 || chunk.length >= blockBytes) {
      this.#endBlock();
      this.#parts.push(chunk);
    } else this.#copy(chunk);
    this.size += chunk.length;
  }

  /** How many pieces of memory they take. */
  get partCount(): number {
    return this.#parts.length + (this.#block === undefined ? 0 : 1);
  }

  /** All of them, in one piece. */
  whole(): Buffer {
    this.#endBlock();
    const [first] = this.#parts;
    return this.#parts.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(this.#parts, this.size);
  }

  #copy(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      if (this.#filled === blockBytes) this.#endBlock();
      this.#block ??= Buffer.allocUnsafeSlow(blockBytes);
      const part = chunk.subarray(from, from + blockBytes - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
    }
  }

  #endBlock(): void {
    if (this.#block !== undefined) this.#parts.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    this.#filled = 0;
  }
}
