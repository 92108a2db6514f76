// A large output, or what started a run, is kept as its JSON. Its value takes up to twenty times as much memory, so
// while memory is short, values are let go and parsed again when a node reads them: otherwise, a few runs could end the
// process, and everybody's runs.
import type { JsonText } from "#lib/engine/outcome.ts";
import { heapShareWith } from "#lib/platform/processes/memory-of.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { rememberText } from "./known-text.ts";
import { parseOwnJson } from "./parse-json.ts";

/** Smaller outputs keep their value. */
const largeCharacters = 16_384;
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
  /** What was let go may be in use. */
  #former: WeakRef<object> | undefined;

  constructor({ value, json }: JsonText, values: OutputValues) {
    this.json = json;
    this.#values = values;
    this.#value = value;
    values.hold(this);
  }

  /** Undefined if it has to be parsed. */
  get held(): unknown {
    return this.#value ?? this.#former?.deref();
  }

  get value(): unknown {
    return this.held ?? this.#hold(JSON.parse(this.json));
  }

  async restored(): Promise<unknown> {
    return this.held ?? this.#hold(await parseOwnJson(this.json));
  }

  letGo(): void {
    if (typeof this.#value === "object" && this.#value !== null) this.#former = new WeakRef(this.#value);
    this.#value = undefined;
    hasLetGo = true;
  }

  #hold(value: unknown): unknown {
    this.#value = value;
    rememberText(value, this.json);
    this.#values.hold(this);
    return value;
  }
}

let hasLetGo = false;

/** Whether any value was ever let go, so that those to be read may have to be parsed. */
export function mayBeLetGo(): boolean {
  return hasLetGo;
}

/** An output's value, without parsing anything: undefined if it was let go and is not in use. */
export function heldValue(output: JsonText): unknown {
  return output instanceof LargeOutput ? output.held : output.value;
}

const outputValues = () => singleton("output-values", () => new OutputValues());

/** An output to keep. What reads its value again keeps it meanwhile: the next value may be another. */
export function keptOutput(output: JsonText, values?: OutputValues): JsonText {
  const isKept = output.json.length <= largeCharacters || output instanceof LargeOutput;
  return isKept ? output : new LargeOutput(output, values ?? outputValues());
}
