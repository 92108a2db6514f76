/**
 * A map for entries that come and go constantly. A `Map` that is filled and emptied leaves old tables behind, each
 * holding its former entries and the next table. V8's minor collections treat what a promoted table holds as live, so
 * short-lived objects move to the old space and wait for a slow major collection. Here the `Map` holds only numbers,
 * and the values are in one array whose slots are reused.
 */
export class SlotMap<Value> {
  readonly #slotOf = new Map<string, number>();
  readonly #values: (Value | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#slotOf.size;
  }

  has(key: string): boolean {
    return this.#slotOf.has(key);
  }

  get(key: string): Value | undefined {
    const slot = this.#slotOf.get(key);
    return slot === undefined ? undefined : this.#values[slot];
  }

  set(key: string, value: Value): void {
    const slot = this.#slotOf.get(key) ?? this.#free.pop() ?? this.#values.length;
    this.#slotOf.set(key, slot);
    this.#values[slot] = value;
  }

  delete(key: string): boolean {
    const slot = this.#slotOf.get(key);
    if (slot === undefined) return false;
    this.#slotOf.delete(key);
    this.#values[slot] = undefined;
    this.#free.push(slot);
    return true;
  }

  clear(): void {
    for (const key of [...this.#slotOf.keys()]) this.delete(key);
  }

  keys(): Iterable<string> {
    return this.#slotOf.keys();
  }

  *values(): Iterable<Value> {
    for (const slot of this.#slotOf.values()) yield this.#values[slot] as Value;
  }
}
