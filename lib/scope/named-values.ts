// The values behind names in expressions. Recorded ones come with their JSON text, and so with their size.
import type { FlowNode } from "#lib/engine/flow.ts";
import { jsonCharacters } from "#lib/engine/json.ts";
import { type JsonText, visibleOutput } from "#lib/engine/outcome.ts";
import type { Frame } from "#lib/engine/step.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";

/** A name's value, its length as JSON, and that text: a promise if it is long and has to be written. */
export interface Named {
  readonly value: unknown;
  readonly size: number;
  json(): string | Promise<string>;
}

/** A value whose JSON text already exists. It is read once: parsed again, it would be another. */
export class Written implements Named {
  readonly #text: JsonText;
  #value: unknown;
  constructor(text: JsonText) {
    this.#text = text;
  }
  get value(): unknown {
    this.#value ??= this.#text.value;
    return this.#value;
  }
  get size(): number {
    return this.#text.json.length;
  }
  json(): string {
    return this.#text.json;
  }
}

/** Counting stops here: a larger value is far too large for the server anyway. */
export const countedMax = 200_000;

/** A value created only for expressions, or without its own text. */
export class Made implements Named {
  readonly value: unknown;
  #size: number | undefined;
  constructor(value: unknown, size?: number) {
    this.value = value;
    this.#size = size;
  }
  get size(): number {
    this.#size ??= jsonCharacters(this.value, countedMax);
    return this.#size;
  }
  json(): string | Promise<string> {
    return jsonInTurns(this.value);
  }
}

export const nothing = new Made(undefined);

/** What started a run, with its JSON: the data that flows call `$trigger`. */
export interface ScopedTrigger extends JsonText {
  readonly value: { readonly body: unknown };
}

/** What the first nodes get. */
export class TriggerBody implements Named {
  readonly #trigger: ScopedTrigger;
  /** The whole, so that it stays in use as long as its body. */
  #value: ScopedTrigger["value"] | undefined;
  constructor(trigger: ScopedTrigger) {
    this.#trigger = trigger;
  }
  get value(): unknown {
    this.#value ??= this.#trigger.value;
    return this.#value.body ?? null;
  }
  /** An upper bound: the whole trigger's. */
  get size(): number {
    return this.#trigger.json.length;
  }
  json(): string | Promise<string> {
    return jsonInTurns(this.value);
  }
}

/** `$nodes`: the nodes' outputs, assembled from each one's value. */
export class Outputs implements Named {
  readonly size: number;
  readonly #outputs: readonly (readonly [string, JsonText | undefined])[];
  #value: unknown;

  constructor(frame: Frame, ids: readonly string[]) {
    this.#outputs = ids.map((id) => [id, outputWithin(frame, id)] as const);
    this.size = this.#outputs.reduce((sum, [id, output]) => sum + id.length + (output?.json.length ?? 0) + 16, 2);
  }

  get value(): unknown {
    this.#value ??= Object.fromEntries(
      this.#outputs.map(([id, output]) => [id, output === undefined ? {} : { output: output.value }]),
    );
    return this.#value;
  }

  json(): string {
    const parts = this.#outputs.map(([id, output]) => {
      return `${JSON.stringify(id)}:${output === undefined ? "{}" : `{"output":${output.json}}`}`;
    });
    return `{${parts.join(",")}}`;
  }
}

/** What precedes a step: a node, the trigger or a loop. */
export interface Before {
  readonly id: string;
  readonly name: string;
  readonly output: Named;
}

/** `$node`, whose output already has its text. */
export class NodeBefore implements Named {
  readonly size: number;
  readonly #before: Before;
  #value: unknown;
  constructor(before: Before) {
    const { id, name, output } = before;
    this.size = output.size + id.length + name.length + 30;
    this.#before = before;
  }
  get value(): unknown {
    const { id, name, output } = this.#before;
    this.#value ??= { id, name, output: output.value };
    return this.#value;
  }
  json(): string | Promise<string> {
    const { id, name, output } = this.#before;
    const around = (text: string) => `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"output":${text}}`;
    const text = output.json();
    return typeof text === "string" ? around(text) : text.then(around);
  }
}

/** The nearest enclosing graph that has a node with this id, and of this kind if given. */
export function frameOf(frame: Frame, id: string, isMeant?: (node: FlowNode) => boolean): Frame | undefined {
  const found = frame.graph.byId.get(id);
  if (found !== undefined && (isMeant === undefined || isMeant(found.node))) return frame;
  return frame.iteration === null ? undefined : frameOf(frame.iteration.loop.frame, id, isMeant);
}

/** A node's output as later nodes see it; undefined if it did not run. */
export function outputWithin(frame: Frame, id: string): JsonText | undefined {
  const outcome = frameOf(frame, id)?.outcomes.get(id);
  return outcome === undefined ? undefined : visibleOutput(outcome);
}
