// A large output is kept as its JSON. Its value takes up to twenty times as much memory, so while memory is short, values
// are let go and parsed again when a node reads them: otherwise, a few runs could end the process, and everybody's runs.
import type { JsonText } from "#lib/engine/outcome.ts";
import { rememberText } from "#lib/json/known-text.ts";
import { heapShareWith } from "#lib/platform/processes/memory-of.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Smaller outputs keep their value. */
const largeCharacters = 65_536;
const shortShare = 0.4;

/** The outputs that have their value. */
export class OutputValues {
  readonly #isShort: () => boolean;
  #held: WeakRef<LargeOutput>[] = [];
  #sweepAt = 1_000;

  constructor(isShort = () => heapShareWith() > shortShare) {
    this.#isShort = isShort;
  }

  /** Notes an output whose value was just parsed. While memory is short, all others lose theirs. */
  hold(output: LargeOutput): void {
    if (this.#isShort()) {
      for (const held of this.#held) held.deref()?.letGo();
      this.#held = [];
    }
    this.#held.push(new WeakRef(output));
    if (this.#held.length < this.#sweepAt) return;
    this.#held = this.#held.filter((held) => held.deref() !== undefined);
    this.#sweepAt = 2 * this.#held.length + 1_000;
  }
}

class LargeOutput implements JsonText {
  readonly json: string;
  readonly #values: OutputValues;
  /** Undefined once it was let go. */
  #value: unknown;

  constructor({ value, json }: JsonText, values: OutputValues) {
    this.json = json;
    this.#values = values;
    this.#value = value;
    values.hold(this);
  }

  get value(): unknown {
    if (this.#value !== undefined) return this.#value;
    this.#value = JSON.parse(this.json);
    rememberText(this.#value, this.json);
    this.#values.hold(this);
    return this.#value;
  }

  letGo(): void {
    this.#value = undefined;
  }
}

const outputValues = () => singleton("output-values", () => new OutputValues());

/** An output to keep. What reads its value more than once keeps it meanwhile: the next value may be another. */
export function keptOutput(output: JsonText, values?: OutputValues): JsonText {
  const isKept = output.json.length <= largeCharacters || output instanceof LargeOutput;
  return isKept ? output : new LargeOutput(output, values ?? outputValues());
}
