const pageBytes = 4096;
/** Runs of zero pages shorter than this belong to the range around them; the C stack (5 MiB, unwound between tasks) does not. */
const gapBytes = 1024 * 1024;
const marginBytes = 64 * 1024;
/** How far beyond the image an allocation made while it is being extended may reach. */
const growthBytesMax = 1024 * 1024;

interface Range {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * A copy of everything the guest is: its statics and its heap, some 200 KB. Writing it back takes a few microseconds
 * and undoes whatever a task did – globals, prototypes, pending jobs, allocator state – because every bit of that
 * lives in these bytes. What lies beyond the image is memory the restored allocator has never handed out.
 */
export class MemoryImage {
  readonly #view: Uint8Array;
  readonly #first: readonly Range[];
  #ranges: readonly Range[];

  /** The memory must be fresh: what is zero is taken as never used. And it must not grow: its buffer would change. */
  constructor(memory: WebAssembly.Memory) {
    this.#view = new Uint8Array(memory.buffer);
    this.#first = usedRanges(this.#view).map(({ start, end }) => ({ start, bytes: this.#view.slice(start, end) }));
    this.#ranges = this.#first;
  }

  get bytes(): number {
    return this.#ranges.reduce((sum, range) => sum + range.bytes.byteLength, 0);
  }

  restore(): void {
    for (const range of this.#ranges) this.#view.set(range.bytes, range.start);
  }

  /** Forgets every extension. */
  reset(): void {
    this.#ranges = this.#first;
    this.restore();
  }

  /** Runs `change` on the restored memory and keeps what it did if it says so; otherwise the image stays as it was. */
  extend(change: () => boolean): boolean {
    const heapEnd = this.#heapEnd();
    const reach = heapEnd + growthBytesMax;
    this.restore();
    this.#view.fill(0, heapEnd, reach);
    const keep = change();
    const view = this.#view;
    const wanted = endOfUse(view, heapEnd - marginBytes, Math.min(reach, view.byteLength)) + marginBytes;
    if (!keep || wanted >= reach) return false;
    this.#ranges = this.#ranges.map(({ start, bytes }) => {
      const end = start + bytes.byteLength;
      return { start, bytes: view.slice(start, end === heapEnd ? Math.max(end, wanted) : end) };
    });
    return true;
  }

  #heapEnd(): number {
    const last = this.#ranges.at(-1);
    if (last === undefined) throw new Error("the guest's memory is empty");
    return last.start + last.bytes.byteLength;
  }
}

function usedRanges(view: Uint8Array): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (let page = 0; page < view.byteLength; page += pageBytes) {
    if (isZero(view, page, page + pageBytes)) continue;
    const end = Math.min(page + pageBytes + marginBytes, view.byteLength);
    const last = ranges.at(-1);
    if (last !== undefined && page - last.end < gapBytes) last.end = end;
    else ranges.push({ start: page, end });
  }
  return ranges;
}

function endOfUse(view: Uint8Array, start: number, end: number): number {
  for (let at = end; at > start; at -= pageBytes) {
    if (!isZero(view, Math.max(at - pageBytes, start), at)) return at;
  }
  return start;
}

function isZero(view: Uint8Array, start: number, end: number): boolean {
  const words = new BigUint64Array(view.buffer, start, (end - start) / 8);
  for (const word of words) if (word !== 0n) return false;
  return true;
}
