import type { TaskMessage } from "./child/protocol.ts";

const sourcesMax = 1000;

/** Sources that once had to be killed: they get a child of their own, where they hold up nobody but each other. */
export class Quarantine {
  readonly #sources = new Set<string>();

  get size(): number {
    return this.#sources.size;
  }

  admit(source: string): void {
    // The oldest leaves first; one that kills again is back at once.
    this.#sources.delete(source);
    this.#sources.add(source);
    for (const oldest of this.#sources) {
      if (this.#sources.size <= sourcesMax) return;
      this.#sources.delete(oldest);
    }
  }

  holds(message: TaskMessage): boolean {
    return this.#sources.size > 0 && message.programs.some(({ source }) => this.#sources.has(source));
  }
}
