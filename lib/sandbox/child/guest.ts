import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten-core";

const { readFileSync } = process.getBuiltinModule("node:fs");
const pageBytes = 4096;
const zeros = new Uint8Array(pageBytes);
/**
 * Shorter runs of zero pages count as part of the range around them; the C stack (5 MiB, unwound between tasks) is
 * longer.
 */
const gapBytes = 1024 * 1024;
const marginBytes = 64 * 1024;
/** How far beyond the image an allocation may reach while the image is being extended. */
const growthBytesMax = 1024 * 1024;
/** How far all extensions together may reach. */
const imageGrowthBytesMax = 4 * 1024 * 1024;

interface Range {
  readonly start: number;
  /** The initial content. */
  readonly first: Uint8Array;
  /** Holds the range, with room to grow: copies are often taken into the same buffer. */
  readonly copy: Uint8Array;
  /** The used part of `copy`, from which memory is restored. */
  bytes: Uint8Array;
}

/**
 * A copy of the guest's whole state: its statics and its heap, about 350 KB. Writing it back takes a few microseconds
 * and undoes everything that a task did (globals, prototypes, pending jobs, allocator state), because all of that is in
 * these bytes. Memory beyond the image has never been handed out by the restored allocator.
 */
class MemoryImage {
  readonly #view: Uint8Array;
  readonly #ranges: readonly Range[];
  readonly #heap: Range;

  /**
   * The memory must be fresh, because zeros count as never used, and must not grow, because its buffer would change.
   */
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

  /** Drops every extension. */
  reset(): void {
    for (const range of this.#ranges) {
      range.bytes = range.copy.subarray(0, range.first.byteLength);
      range.bytes.set(range.first);
    }
    this.restore();
  }

  /** Runs `change` on the restored memory and keeps the result if it returns true; otherwise the image is unchanged. */
  extend(change: () => boolean): boolean {
    const { start, bytes, copy } = this.#heap;
    const end = start + bytes.byteLength;
    const limit = Math.min(end + growthBytesMax, start + copy.byteLength, this.#view.byteLength);
    this.restore();
    this.#view.fill(0, end, limit);
    const keep = change();
    const target = endOfUse(this.#view, end - marginBytes, limit) + marginBytes;
    if (!keep || target >= limit) return false;
    this.#heap.bytes = copy.subarray(0, Math.max(end, target) - start);
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

/** For at most a page. Compares in native code: a loop over the whole memory took most of the child's start. */
function isZero(view: Uint8Array, start: number, end: number): boolean {
  return Buffer.compare(view.subarray(start, end), zeros.subarray(0, end - start)) === 0;
}

/**
 * Must match the child's `--stack-size=4000`: with a larger guest stack or a smaller host one, deep recursion would
 * overflow the host's stack inside the engine instead of raising a RangeError in the guest.
 */
const guestStackBytes = 128 * 1024;

const encoder = new TextEncoder();
const wasmPageBytes = 64 * 1024;
/** What the engine needs besides the guest's heap: statics, a 5 MiB stack, and the compiled programs. */
const engineBytes = 8 * 1024 * 1024;
/** The engine is compiled to need at least this. */
const memoryBytesMin = 16 * 1024 * 1024;

const preludeNames = ["begin", "evaluate", "report", "textOf", "takeLogs"] as const;
type Prelude = Readonly<Record<(typeof preludeNames)[number], QuickJSHandle>>;

/** Set when the guest asked for more memory than there is. */
interface MemoryPressure {
  exhausted: boolean;
}

/** One engine with one context, to which no host function is exposed: it can only compute. */
export interface Guest {
  readonly context: QuickJSContext;
  readonly prelude: Prelude;
  readonly image: MemoryImage;
  readonly pressure: MemoryPressure;
  /** Withholds memory from the next task: it gets `bytes` less than the guest's maximum. */
  readonly withhold: (bytes: number) => unknown;
}

/**
 * Limits memory by its size, which cannot grow: the engine's own limit counts eight bytes per allocation, whatever its
 * size.
 */
export async function bootGuest(memoryBytes: number, shouldInterrupt: () => boolean): Promise<Guest> {
  const pages = Math.ceil(Math.max(engineBytes + memoryBytes, memoryBytesMin) / wasmPageBytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const pressure = { exhausted: false };
  memory.grow = () => {
    pressure.exhausted = true;
    throw new RangeError("the guest's memory does not grow");
  };
  const { engine, allocate } = await load(memory);
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(guestStackBytes);
  runtime.setInterruptHandler(shouldInterrupt);
  const context = runtime.newContext();
  const source = readFileSync(new URL("./prelude.js", import.meta.url), "utf8");
  const exports = context.unwrapResult(context.evalCode(source, "prelude", { type: "module" }));
  const handles = preludeNames.map((name) => [name, context.getProp(exports, name)] as const);
  const prelude = Object.fromEntries(handles) as Prelude;
  // Created on first use and kept by the context, so they have to exist in the image.
  void [context.undefined, context.true, context.false];
  return { context, prelude, image: new MemoryImage(memory), pressure, withhold: allocate };
}

async function load(memory: WebAssembly.Memory) {
  const imported = await variant.importModuleLoader();
  const outer = "default" in imported ? imported.default : imported;
  const loader = "default" in outer ? outer.default : outer;
  const view = new Uint8Array(memory.buffer);
  let allocate: (bytes: number) => number = () => 0;
  const engine = await newQuickJSWASMModuleFromVariant({
    ...variant,
    importModuleLoader: async () => async (options) => {
      const module = await loader({ ...options, wasmMemory: memory });
      allocate = (bytes) => module._malloc(bytes);
      // The engine's own implementation walks a string character by character, twice.
      module.lengthBytesUTF8 = (text) => Buffer.byteLength(text);
      module.stringToUTF8 = (text, at, bytesMax) => {
        const { written } = encoder.encodeInto(text, view.subarray(at, (at as number) + (bytesMax ?? 0) - 1));
        view[(at as number) + written] = 0;
      };
      return module;
    },
  });
  return { engine, allocate };
}
