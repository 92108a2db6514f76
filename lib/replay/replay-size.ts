import type { FlowNode } from "#lib/engine/flow.ts";
import { jsonCharacters } from "#lib/engine/json.ts";
import type { JsonText } from "#lib/engine/outcome.ts";
import type { Step } from "#lib/engine/step.ts";
import { jsonBytesInTurns } from "#lib/json/json-bytes.ts";
import { writeJsonInTurns } from "#lib/json/write-json.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { hiddenCredentials } from "./hidden-credentials.ts";
import type { Replayable } from "./prepare.ts";
import type { Replaying } from "./replay-node.ts";

const mib = 1_048_576;
/** A run's default limits; a replay may not be larger. */
const oneOutputMax = 10 * mib;
const allOutputsMax = 50 * mib;

/** An output as JSON, counted. Measured before it is written. Throws NodeFailure if it, or all of them, are too large. */
export async function countedText(replaying: Replaying, value: unknown): Promise<JsonText> {
  const bytes = await jsonBytesInTurns(value, oneOutputMax);
  if (bytes > oneOutputMax) throw tooLarge();
  const text = { value: value ?? null, json: await writeJsonInTurns(value, bytes, Number.POSITIVE_INFINITY) };
  count(replaying, text);
  return text;
}

/** Counts an output. Throws NodeFailure if it, or all of them, are too large. */
export function count(replaying: Replaying, { json }: JsonText): void {
  replaying.used.characters += json.length;
  if (json.length > oneOutputMax) throw tooLarge();
  requireRoom(replaying);
}

/**
 * Keeps what a step would have sent, replacing an earlier request of the step. In a comparison with a past run, it
 * includes the names of the step's credentials: their masked values all look the same.
 */
export function keepRequest(replaying: Replaying, step: Step, sent: object): void {
  const { requests, used, leavesOpen } = replaying;
  const { id } = step;
  const credentials = leavesOpen ? credentialsOf(replaying, step) : [];
  const request = credentials.length === 0 ? sent : { ...sent, credentials };
  if (requests.has(id)) used.characters -= jsonCharacters(requests.get(id), allOutputsMax);
  used.characters += jsonCharacters(request, allOutputsMax);
  requests.delete(id);
  requireRoom(replaying);
  requests.set(id, request);
}

/** The names of the credentials that a step uses. */
export function credentialsOf({ flow }: Replaying, { node: { node } }: Step): string[] {
  return credentialsOfNode(flow, node);
}

export function credentialsOfNode(flow: Replayable, node: FlowNode): string[] {
  const named = nodeDefinition(node.type)?.credentialNames?.(node.config) ?? [];
  return [...new Set([...named, ...Object.keys(hiddenCredentials(flow.plan(node)))])].sort();
}

function requireRoom({ used }: Replaying): void {
  if (used.characters > allOutputsMax) throw tooLarge();
}

function tooLarge(): NodeFailure {
  return new NodeFailure("OUTPUT_TOO_LARGE", "The outputs and requests of the run exceed the limits of a run");
}

/** Lists up to this size are shown in full, longer ones as their length. */
const listCharactersMax = 4_000;
/** The limit for all loops together, nested ones included. */
const allCharactersMax = 100_000;

/** The items of loops, by step: enough to detect a change, and never more than fits in a test. */
export class LoopItems {
  readonly #listed = new Map<string, unknown>();
  #left = allCharactersMax;

  keep(stepId: string, items: readonly unknown[]): void {
    const isShort = jsonCharacters(items, listCharactersMax) <= listCharactersMax;
    const listed = isShort ? items : { count: items.length };
    this.#left -= jsonCharacters(listed, listCharactersMax);
    if (this.#left >= 0) this.#listed.set(stepId, listed);
  }

  /** Undefined if they do not fit. */
  of(stepId: string): unknown {
    return this.#listed.get(stepId);
  }
}
