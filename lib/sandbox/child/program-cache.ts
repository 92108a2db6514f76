import type { QuickJSHandle } from "quickjs-emscripten-core";
import type { Guest } from "./guest.ts";
import type { SandboxProgram } from "./protocol.ts";

const programsMax = 1000;
const growthBytesMax = 1024 * 1024;
const seenMax = 5000;
/** Longer sources are compiled each time: they are rare and would fill the image. */
const sourceCharsMax = 8 * 1024;

/** Wraps a source. The head ends on the line before the source's first: positions rely on this. */
export function wrap(program: SandboxProgram, names: readonly string[]): { code: string; text: string } {
  const parameters = names.join(",");
  // An arrow's body is exactly one expression, so statements cannot slip in.
  const text =
    program.kind === "expression"
      ? `(${parameters})=>(\n${program.source}\n)`
      : `function(${parameters}){\n${program.source}\n}`;
  return { code: `(${text})`, text };
}

/**
 * Compiled programs that are part of the memory image, so that they survive each restore. Compiling runs none of a
 * program's code: if a source breaks out of its wrapper, the resulting function is not the whole text, and the memory
 * is discarded.
 */
export class ProgramCache {
  readonly #guest: Guest;
  readonly #programs = new Map<string, QuickJSHandle>();
  readonly #firstBytes: number;
  #seen = new Set<string>();

  constructor(guest: Guest) {
    this.#guest = guest;
    this.#firstBytes = guest.image.bytes;
  }

  get size(): number {
    return this.#programs.size;
  }

  find(key: string): QuickJSHandle | undefined {
    return this.#programs.get(key);
  }

  /** Called between tasks; leaves the guest restored. A source is added when it is used for the second time. */
  prepare(key: string, program: SandboxProgram, compile: () => QuickJSHandle | undefined): void {
    if (this.#programs.has(key) || program.source.length > sourceCharsMax) return;
    if (!this.#seen.has(key)) {
      if (this.#seen.size >= seenMax) this.#seen = new Set();
      this.#seen.add(key);
      return;
    }
    if (this.#programs.size >= programsMax || this.#guest.image.bytes - this.#firstBytes > growthBytesMax)
      this.#clear();
    let handle: QuickJSHandle | undefined;
    const compiled = this.#guest.image.extend(() => {
      handle = compile();
      return handle !== undefined;
    });
    if (compiled && handle !== undefined) this.#programs.set(key, handle);
    else this.#seen.delete(key);
  }

  #clear(): void {
    this.#programs.clear();
    this.#guest.image.reset();
  }
}
