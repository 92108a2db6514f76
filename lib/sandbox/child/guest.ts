import { readFileSync } from "node:fs";
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten-core";
import { MemoryImage } from "./memory-image.ts";

/**
 * A pair with the child's `--stack-size=4000`: with a larger guest stack or a smaller host one, deep recursion would
 * overflow the host's stack inside the engine instead of raising a RangeError in the guest.
 */
const guestStackBytes = 128 * 1024;

const encoder = new TextEncoder();
const wasmPageBytes = 64 * 1024;
/** What the engine itself needs beside the guest's heap: statics, its stack of 5 MiB, and the compiled programs. */
const engineBytes = 8 * 1024 * 1024;
/** The engine is compiled to expect at least this. */
const memoryBytesMin = 16 * 1024 * 1024;

const preludeNames = ["begin", "evaluate", "report", "textOf", "takeLogs"] as const;
type Prelude = Readonly<Record<(typeof preludeNames)[number], QuickJSHandle>>;

/** Set when the guest asked for more memory than there is. */
export interface MemoryPressure {
  exhausted: boolean;
}

/** One engine with one context. No function of the host is exposed to it: it can compute, and nothing else. */
export interface Guest {
  readonly context: QuickJSContext;
  readonly prelude: Prelude;
  readonly image: MemoryImage;
  readonly pressure: MemoryPressure;
  /** Takes memory away from the task about to begin: it has `bytes` less than the guest could have. */
  readonly withhold: (bytes: number) => unknown;
}

/**
 * The engine's own memory limit counts eight bytes for each allocation, whatever its size. So the limit is the size of
 * the memory itself, which cannot grow.
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
  // Made on first use and kept by the context: they have to exist in the image.
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
      // The engine's own way goes through a string character by character, twice.
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
