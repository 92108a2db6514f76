// A large output, or what started a run, is kept as its JSON. Its value takes up to twenty times as much memory, so
// while memory is short, values are let go and parsed again when a node reads them: otherwise, a few runs could end the
// process, and everybody's runs.
import { type JsonText, restoredValue } from "#lib/engine/outcome.ts";
import { heapShareWith } from "#lib/platform/processes/memory-of.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { rememberText } from "./known-text.ts";
import { isSmallJson, parseOwnJson } from "./parse-json.ts";

/** Smaller outputs keep their value. */
export const largeCharacters = 16_384;
const shortShare = 0.4;

/** The outputs that have their value. */
export class OutputValues {
  /** Whether memory is short. */
  readonly isShort: () => boolean;
  #held: WeakRef<LargeOutput>[] = [];
  #sweepAt = 1_000;

  constructor(isShort = () => heapShareWith() > shortShare) {
    this.isShort = isShort;
  }

  /** Notes an output whose value was just parsed. While memory is short, all others lose theirs. */
  hold(output: LargeOutput): void {
    if (this.isShort()) {
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
  /** Undefined until it is read, and once it was let go. */
  #value: unknown;
  /** What was let go may be in use. */
  #former: WeakRef<object> | undefined;

  constructor(json: string, value: unknown, values: OutputValues) {
    this.json = json;
    this.#values = values;
    this.#value = value;
    if (value !== undefined) values.hold(this);
    else if (!isSmallJson(json)) hasToParse = true;
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
    hasToParse = true;
  }

  #hold(value: unknown): unknown {
    this.#value = value;
    rememberText(value, this.json);
    this.#values.hold(this);
    return value;
  }
}

let hasToParse = false;

/** Whether a value to be read may have to be parsed, and take long. */
export function mayHaveToParse(): boolean {
  return hasToParse;
}

/** An output's value, without parsing anything: undefined if it is kept as JSON only. */
export function heldValue(output: JsonText): unknown {
  return output instanceof LargeOutput ? output.held : output.value;
}

const outputValues = () => singleton("output-values", () => new OutputValues());

/** An output to keep. What reads its value again keeps it meanwhile: the next value may be another. */
export function keptOutput(output: JsonText, values?: OutputValues): JsonText {
  const isKept = output.json.length <= largeCharacters || output instanceof LargeOutput;
  return isKept ? output : new LargeOutput(output.json, output.value, values ?? outputValues());
}

/** The same for a loop's result. While memory is short, its value is not made before it is read. */
export async function keptResult(result: JsonText, values: OutputValues = outputValues()): Promise<JsonText> {
  const { json } = result;
  if (json.length > largeCharacters && values.isShort()) return unreadText(json, values);
  return keptOutput({ value: await restoredValue(result), json }, values);
}

/** A text that is to be kept: its value is parsed when it is read. */
export function unreadText(json: string, values: OutputValues = outputValues()): JsonText {
  return new LargeOutput(json, undefined, values);
}
