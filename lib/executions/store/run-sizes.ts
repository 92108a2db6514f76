import type { JsonText, NodeError } from "#lib/engine/outcome.ts";
import type { Run } from "#lib/executions/run.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { query } from "#lib/platform/database.ts";
import { jsonBytes } from "./json-bytes.ts";
import type { RunRecords } from "./node-record.ts";

/** Bytes of JSON. */
export interface OutputLimits {
  readonly oneBytes: number;
  /** Of what is put together of other outputs: by a loop or a merge. */
  readonly collectedBytes: number;
  /** All outputs of a run together, and what its loops run for and its waiting nodes keep. */
  readonly runBytes: number;
}

const mib = 1_048_576;
export const defaultOutputLimits: OutputLimits = { oneBytes: 5 * mib, collectedBytes: 10 * mib, runBytes: 50 * mib };

export type OutputKind = "oneBytes" | "collectedBytes";

/** What is too large, and where its limit is set. */
const words: Readonly<Record<OutputKind, readonly [what: string, whose: string, variable: string]>> = {
  oneBytes: ["The output", "one output", "OUTPUT_MAX_BYTES"],
  collectedBytes: ["The result", "that of a loop or merge", "COLLECTED_OUTPUT_MAX_BYTES"],
};

/** How large a run has become. What is too large is refused before anything is made of it. */
export class RunSizes {
  readonly #limits: OutputLimits;
  #bytes = 0;
  #inputBytes = 0;
  /** What steps that wait keep: their output takes its place. */
  readonly #kept = new Map<string, number>();

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  /** Counts what is stored of the run already. */
  resume({ outcomes, begun, waits }: RunRecords): void {
    for (const outcome of outcomes.values()) {
      if (outcome.status === "completed") this.#bytes += Buffer.byteLength(outcome.output.json);
    }
    for (const { loop } of begun.values())
      if (loop !== null) this.#bytes += jsonBytes(loop.items, this.#limits.runBytes);
    for (const [stepId, { request }] of waits) {
      if (!outcomes.has(stepId)) this.#keep(stepId, jsonBytes(request.state, this.#limits.runBytes));
    }
  }

  /** The bytes of a value. Throws OUTPUT_TOO_LARGE, having counted little further than to the limit, if it is larger. */
  check(value: unknown, kind: OutputKind): number {
    // Nobody has to be told exactly how far beyond the limit it is.
    const countMost = 2 * this.#limits[kind];
    const bytes = jsonBytes(value, countMost);
    if (bytes > this.#limits[kind])
      throw tooLarge(kind, bytes > countMost ? `more than ${inBytes(countMost)}` : inBytes(bytes), this.#limits);
    return bytes;
  }

  /** Counts the output of a step. Throws OUTPUT_TOO_LARGE, and then counts nothing. */
  take(stepId: string, output: JsonText, kind: OutputKind): void {
    const bytes = Buffer.byteLength(output.json);
    if (bytes > this.#limits[kind]) throw tooLarge(kind, inBytes(bytes), this.#limits);
    this.#require(bytes - (this.#kept.get(stepId) ?? 0));
    this.#bytes += bytes - (this.#kept.get(stepId) ?? 0);
    this.#kept.delete(stepId);
  }

  /** Counts what a loop runs for. Throws OUTPUT_TOO_LARGE. */
  takeItems(items: readonly unknown[]): void {
    this.check(items, "collectedBytes");
    const bytes = jsonBytes(items, this.#limits.collectedBytes);
    this.#require(bytes);
    this.#bytes += bytes;
  }

  /** Counts what a step keeps while it waits. Throws OUTPUT_TOO_LARGE. */
  takeWait(stepId: string, state: unknown): void {
    this.check(state, "collectedBytes");
    const bytes = jsonBytes(state, this.#limits.collectedBytes);
    this.#require(bytes);
    this.#keep(stepId, bytes);
  }

  /** True while resolved configs that people may read have not become more than a merge may be; counts this one. */
  keepsInput(json: string): boolean {
    this.#inputBytes += Buffer.byteLength(json);
    return this.#inputBytes <= this.#limits.collectedBytes;
  }

  /** Told of what each item of a loop comes to; gives the loop's failure once that is too much together. */
  collector(): (output: JsonText) => NodeError | null {
    let [bytes, count] = ["[]".length, 0];
    return ({ json }) => {
      bytes += Buffer.byteLength(json) + (count === 0 ? 0 : ",".length);
      count += 1;
      if (bytes <= this.#limits.collectedBytes) return null;
      const { message, code } = tooLarge("collectedBytes", `${inBytes(bytes)} after ${count} items`, this.#limits);
      return { message, code };
    };
  }

  /** Refuses an output of a run of which so much is stored already. Throws OUTPUT_TOO_LARGE. */
  checkBeside(storedBytes: number, output: JsonText): void {
    const bytes = storedBytes + Buffer.byteLength(output.json);
    if (bytes > this.#limits.runBytes) throw runTooLarge(bytes, this.#limits);
  }

  #keep(stepId: string, bytes: number): void {
    this.#kept.set(stepId, bytes);
    this.#bytes += bytes;
  }

  #require(bytes: number): void {
    if (this.#bytes + bytes > this.#limits.runBytes) throw runTooLarge(this.#bytes + bytes, this.#limits);
  }
}

/** Smaller ones hardly matter, and are many. */
const checkedLength = 65_536;

const sumOutputs = "SELECT coalesce(sum(octet_length(output)), 0) AS bytes FROM node_execution WHERE execution_id = $1";

/**
 * Checks an output against what is stored of its run by now: where several processes do steps of one run, none has
 * counted them all. What they write at this very moment the next check finds. Throws OUTPUT_TOO_LARGE.
 */
export async function checkAgainstStored({ id, sizes }: Pick<Run, "id" | "sizes">, output: JsonText): Promise<void> {
  if (output.json.length < checkedLength) return;
  const [row] = await query<{ bytes: string }>("sum-outputs", sumOutputs, [id]);
  sizes.checkBeside(Number(row?.bytes ?? 0), output);
}

const inBytes = (bytes: number) => `${bytes.toLocaleString("en-US")} bytes`;

function tooLarge(kind: OutputKind, size: string, limits: OutputLimits): NodeFailure {
  const [what, whose, variable] = words[kind];
  const message = `${what} has ${size}; ${whose} may have ${inBytes(limits[kind])} (${variable})`;
  return new NodeFailure("OUTPUT_TOO_LARGE", message);
}

function runTooLarge(bytes: number, { runBytes }: OutputLimits): NodeFailure {
  const message = `The outputs of the run would have ${inBytes(bytes)}; together they may have ${inBytes(runBytes)} (RUN_OUTPUT_MAX_BYTES)`;
  return new NodeFailure("OUTPUT_TOO_LARGE", message);
}
