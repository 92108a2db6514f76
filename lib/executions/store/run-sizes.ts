import type { JsonText, NodeError } from "#lib/engine/outcome.ts";
import type { Run } from "#lib/executions/run.ts";
import { jsonBytesInTurns } from "#lib/json/json-bytes.ts";
import { knownText } from "#lib/json/known-text.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { query } from "#lib/platform/database.ts";
import type { RunRecords } from "./node-record.ts";

/** Bytes of JSON. */
export interface OutputLimits {
  readonly oneBytes: number;
  /** For outputs that combine others: a loop's or a merge's. */
  readonly collectedBytes: number;
  /** All outputs of a run together, including its loops' items and the state of its waiting nodes. */
  readonly runBytes: number;
}

const mib = 1_048_576;
export const defaultOutputLimits: OutputLimits = { oneBytes: 5 * mib, collectedBytes: 10 * mib, runBytes: 50 * mib };

export type OutputKind = "oneBytes" | "collectedBytes";

/** How a message names what is too large, and the variable that sets its limit. */
const wording: Readonly<Record<OutputKind, readonly [what: string, whose: string, variable: string]>> = {
  oneBytes: ["The output", "one output", "OUTPUT_MAX_BYTES"],
  collectedBytes: ["The result", "that of a loop or merge", "COLLECTED_OUTPUT_MAX_BYTES"],
};

/** Keeps track of a run's sizes. Oversized values are refused before they are copied or serialized. */
export class RunSizes {
  readonly #limits: OutputLimits;
  #bytes = 0;
  #inputBytes = 0;
  /** The state of waiting steps, replaced by their output. */
  readonly #kept = new Map<string, number>();

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  /** What the run keeps. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts what is already stored for the run. */
  async resume({ outcomes, begun, waits }: RunRecords): Promise<void> {
    for (const outcome of outcomes.values()) {
      if (outcome.status === "completed") this.#bytes += Buffer.byteLength(outcome.output.json);
    }
    for (const { loop } of begun.values()) if (loop !== null) this.#bytes += bytesOfList(loop.items);
    for (const [stepId, { request }] of waits) {
      if (!outcomes.has(stepId)) this.#keep(stepId, await jsonBytesInTurns(request.state, this.#limits.runBytes));
    }
  }

  /** The bytes of a value. Throws OUTPUT_TOO_LARGE beyond the limit, without counting much further. */
  check(value: unknown, kind: OutputKind): number | Promise<number> {
    const known = knownText(value);
    if (known !== undefined) return this.#checked(Buffer.byteLength(known), kind);
    const counted = jsonBytesInTurns(value, this.#countMost(kind));
    return typeof counted === "number"
      ? this.#checked(counted, kind)
      : counted.then((bytes) => this.#checked(bytes, kind));
  }

  /** Counts a little beyond the limit, because an excess need not be exact. */
  #countMost(kind: OutputKind): number {
    return 2 * this.#limits[kind];
  }

  #checked(bytes: number, kind: OutputKind): number {
    const countMost = this.#countMost(kind);
    if (bytes > this.#limits[kind])
      throw tooLarge(kind, bytes > countMost ? `more than ${inBytes(countMost)}` : inBytes(bytes), this.#limits);
    return bytes;
  }

  /** Counts a step's output. Throws OUTPUT_TOO_LARGE, and then counts nothing. */
  take(stepId: string, output: JsonText, kind: OutputKind): void {
    const bytes = Buffer.byteLength(output.json);
    if (bytes > this.#limits[kind]) throw tooLarge(kind, inBytes(bytes), this.#limits);
    const more = bytes - (this.#kept.get(stepId) ?? 0);
    this.#require(more);
    this.#bytes += more;
    this.#kept.delete(stepId);
  }

  /** Counts a loop's items. Throws OUTPUT_TOO_LARGE. */
  takeItems(items: readonly JsonText[]): void {
    const bytes = this.#checked(bytesOfList(items), "collectedBytes");
    this.#require(bytes);
    this.#bytes += bytes;
  }

  /** Counts a waiting step's state, in place of that of its earlier waits. Throws OUTPUT_TOO_LARGE. */
  async takeWait(stepId: string, state: unknown): Promise<void> {
    const bytes = await this.check(state, "collectedBytes");
    this.#require(bytes - (this.#kept.get(stepId) ?? 0));
    this.#keep(stepId, bytes);
  }

  /** Counts a resolved config kept for display; false once they exceed the limit of a merge. */
  keepsInput(json: string): boolean {
    this.#inputBytes += Buffer.byteLength(json);
    return this.#inputBytes <= this.#limits.collectedBytes;
  }

  /** Takes the output of each of a loop's items; returns the loop's failure once they are too large together. */
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

  /** Refuses an output if the run has already stored this much. Throws OUTPUT_TOO_LARGE. */
  checkBeside(storedBytes: number, output: JsonText): void {
    const bytes = storedBytes + Buffer.byteLength(output.json);
    if (bytes > this.#limits.runBytes) throw runTooLarge(bytes, this.#limits);
  }

  #keep(stepId: string, bytes: number): void {
    this.#bytes += bytes - (this.#kept.get(stepId) ?? 0);
    this.#kept.set(stepId, bytes);
  }

  #require(bytes: number): void {
    if (this.#bytes + bytes > this.#limits.runBytes) throw runTooLarge(this.#bytes + bytes, this.#limits);
  }
}

/** The size of a list of these, as JSON. */
function bytesOfList(items: readonly JsonText[]): number {
  const commas = Math.max(0, items.length - 1);
  return items.reduce((sum, { json }) => sum + Buffer.byteLength(json), "[]".length + commas);
}

/** Smaller outputs are many and hardly matter. */
const checkedLength = 65_536;

const sumOutputs = "SELECT coalesce(sum(octet_length(output)), 0) AS bytes FROM node_execution WHERE execution_id = $1";

/**
 * Checks an output against what is stored for its run: if several processes share a run, none has counted everything.
 * The next check finds concurrent writes. Throws OUTPUT_TOO_LARGE.
 */
export async function checkAgainstStored({ id, sizes }: Pick<Run, "id" | "sizes">, output: JsonText): Promise<void> {
  if (output.json.length < checkedLength) return;
  const [row] = await query<{ bytes: string }>("sum-outputs", sumOutputs, [id]);
  sizes.checkBeside(Number(row?.bytes ?? 0), output);
}

const inBytes = (bytes: number) => `${bytes.toLocaleString("en-US")} bytes`;

function tooLarge(kind: OutputKind, size: string, limits: OutputLimits): NodeFailure {
  const [label, limitOf, variable] = wording[kind];
  const message = `${label} has ${size}; ${limitOf} may have ${inBytes(limits[kind])} (${variable})`;
  return new NodeFailure("OUTPUT_TOO_LARGE", message);
}

function runTooLarge(bytes: number, { runBytes }: OutputLimits): NodeFailure {
  const message = `The outputs of the run would have ${inBytes(bytes)}; together they may have ${inBytes(runBytes)} (RUN_OUTPUT_MAX_BYTES)`;
  return new NodeFailure("OUTPUT_TOO_LARGE", message);
}
