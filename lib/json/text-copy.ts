/** The JSON of a value that is parsed piece by piece: the same text as from `JSON.stringify`, written meanwhile. */
export class TextCopy {
  #parts: string[] = [];
  #isExact = true;

  /** Begins an object or array. `key`: its name in the object around it; null in a list and for the root. */
  enter(isFirst: boolean, key: string | null, isList: boolean): void {
    const name = key === null ? "" : `${JSON.stringify(key)}:`;
    this.#put(`${isFirst ? "" : ","}${name}${isList ? "[" : "{"}`);
  }

  /** Adds parsed members of the innermost object or array. */
  add(members: object, isFirst: boolean): void {
    if (!this.#isExact) return;
    if (!isFirst) this.#parts.push(",");
    this.#parts.push(JSON.stringify(members).slice(1, -1));
  }

  leave(isList: boolean): void {
    this.#put(isList ? "]" : "}");
  }

  /** The pieces are not the whole, as with a key that occurs in two of them. */
  spoil(): void {
    this.#isExact = false;
    this.#parts = [];
  }

  /** The whole text; null if it has to be written from the value. */
  get text(): string | null {
    return this.#isExact ? this.#parts.join("") : null;
  }

  #put(text: string): void {
    if (this.#isExact) this.#parts.push(text);
  }
}
