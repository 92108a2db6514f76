import { readFileSync } from "node:fs";
import variantModule from "@jitl/quickjs-ng-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from "quickjs-emscripten-core";
import { MemoryImage } from "./memory-image.ts";

/**
 * A pair with the child's `--stack-size=4000`: with a larger guest stack or a smaller host one, deep recursion would
 * overflow the host's stack inside the engine instead of raising a RangeError in the guest.
 */
const guestStackBytes = 128 * 1024;

const preludeNames = ["begin", "evaluate", "describe", "textOf", "takeLogs"] as const;
type Prelude = Readonly<Record<(typeof preludeNames)[number], QuickJSHandle>>;

/** One engine with one context. No function of the host is exposed to it: it can compute, and nothing else. */
export interface Guest {
  readonly context: QuickJSContext;
  readonly runtime: QuickJSRuntime;
  readonly prelude: Prelude;
  readonly memory: WebAssembly.Memory;
  readonly image: MemoryImage;
}

export async function bootGuest(shouldInterrupt: () => boolean): Promise<Guest> {
  const engine = await newQuickJSWASMModuleFromVariant(variantModule);
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(guestStackBytes);
  runtime.setInterruptHandler(shouldInterrupt);
  const context = runtime.newContext();
  const source = readFileSync(new URL("./prelude.js", import.meta.url), "utf8");
  const exports = context.unwrapResult(context.evalCode(source, "prelude", { strict: true }));
  const handles = preludeNames.map((name) => [name, context.getProp(exports, name)] as const);
  const prelude = Object.fromEntries(handles) as Prelude;
  // Made on first use and kept by the context: it has to exist in the image.
  void context.undefined;
  const memory = engine.getWasmMemory();
  return { context, runtime, prelude, memory, image: new MemoryImage(memory) };
}
