const pageBytes = 4096;
/** Runs of zero pages shorter than this belong to the range around them; the C stack (5 MiB, unwound between tasks) does not. */
const gapBytes = 1024 * 1024;
const marginBytes = 64 * 1024;
/** How far beyond the image an allocation made while it is being extended may reach. */
const growthBytesMax = 1024 * 1024;
/** How far all extensions together may reach. */
const imageGrowthBytesMax = 4 * 1024 * 1024;

interface Range {
  readonly start: number;
  /** As it was at first. */
  readonly first: Uint8Array;
  /** Holds the range with room to grow: copies are taken often, and into the same place. */
  readonly copy: Uint8Array;
  /** What of `copy` is in use, over which the memory is restored. */
  bytes: Uint8Array;
}

/**
 * A copy of everything the guest is: its statics and its heap, some 350 KB. Writing it back takes a few microseconds
 * and undoes whatever a task did – globals, prototypes, pending jobs, allocator state – because every bit of that
 * lives in these bytes. What lies beyond the image is memory the restored allocator has never handed out.
 */
export class MemoryImage {
  readonly #view: Uint8Array;
  readonly #ranges: readonly Range[];
  readonly #heap: Range;

  /** The memory must be fresh: what is zero is taken as never used. And it must not grow: its buffer would change. */
  constructor(memory: WebAssembly.Memory) {
    this.#view = new Uint8Array(memory.buffer);
    this.#ranges = usedRanges(this.#view).map(({ start, end }) => {
      const copy = new Uint8Array(end - start + imageGrowthBytesMax);
      return { start, first: this.#view.slice(start, end), copy, bytes: copy };
    });
    const heap = this.#ranges.at(-1);
    if (heap === undefined) throw new Error("the guest's memory is empty");
    this.#heap = heap;
    this.reset();
  }

  get bytes(): number {
    return this.#ranges.reduce((sum, range) => sum + range.bytes.byteLength, 0);
  }

  restore(): void {
    for (const range of this.#ranges) this.#view.set(range.bytes, range.start);
  }

  /** Forgets every extension. */
  reset(): void {
    for (const range of this.#ranges) {
      range.bytes = range.copy.subarray(0, range.first.byteLength);
      range.bytes.set(range.first);
    }
    this.restore();
  }

  /** Runs `change` on the restored memory and keeps what it did if it says so; otherwise the image stays as it was. */
  extend(change: () => boolean): boolean {
    const { start, bytes, copy } = this.#heap;
    const end = start + bytes.byteLength;
    const reach = Math.min(end + growthBytesMax, start + copy.byteLength, this.#view.byteLength);
    this.restore();
    this.#view.fill(0, end, reach);
    const keep = change();
    const wanted = endOfUse(this.#view, end - marginBytes, reach) + marginBytes;
    if (!keep || wanted >= reach) return false;
    this.#heap.bytes = copy.subarray(0, Math.max(end, wanted) - start);
    for (const range of this.#ranges) {
      range.bytes.set(this.#view.subarray(range.start, range.start + range.bytes.byteLength));
    }
    return true;
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
