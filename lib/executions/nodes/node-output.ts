import type { JsonText } from "#lib/engine/outcome.ts";
import type { Run } from "#lib/executions/run.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { jsonBeginning } from "#lib/json/json-beginning.ts";
import { isDeeperThan, jsonBytesInTurns } from "#lib/json/json-bytes.ts";
import { rememberText } from "#lib/json/known-text.ts";
import { keptOutput } from "#lib/json/large-output.ts";
import { TooDeep } from "#lib/json/parse-json.ts";
import { writeJsonInTurns } from "#lib/json/write-json.ts";
import { levelsMax, tooDeep } from "#lib/nodes/define.ts";
import { yieldAfter } from "#lib/platform/turns.ts";

/** Larger resolved configs are not stored for display. */
export const keptInputBytesMax = 65_536;

/** A node's output as JSON, with secrets masked. `bytes`: its size as JSON. Throws NodeFailure. */
export async function outputOf(run: Run, output: unknown, bytes: number): Promise<JsonText> {
  const text = { value: output ?? null, json: await boundedJson("output", output, bytes) };
  rememberText(text.value, text.json);
  await yieldAfter(text.json.length);
  return keptOutput(run.mask === noMask ? text : await run.mask.output(text));
}

const smallBytes = 65_536;

/** The same, synchronously, if it is small and has nothing to mask; else null. Throws NodeFailure. */
export function smallOutputOf(run: Run, output: unknown, bytes: number): JsonText | null {
  if (bytes > smallBytes || run.mask !== noMask) return null;
  const json = boundedJson("output", output, bytes);
  return typeof json === "string" ? { value: output ?? null, json } : null;
}

/** The same for a value that is not an output, such as a loop's items. */
export async function hidden<Value>(run: Run, value: Value): Promise<Value> {
  if (run.mask === noMask) return value;
  const bytes = await jsonBytesInTurns(value, Number.POSITIVE_INFINITY);
  return (await outputOf(run, value, bytes)).value as Value;
}

/** The beginning of a value as JSON, for quoting: without secrets, not even part of one. */
export function quoted(run: Run, value: unknown, charactersMax: number): string | undefined {
  if (value === undefined) return undefined;
  const json = jsonBeginning(value, 4 * charactersMax);
  // A secret cut at the end is still found if at least eight characters of it remain.
  return run.mask.parts(json).slice(0, charactersMax);
}

/**
 * A node's value as JSON, synchronously if small. `bytes`: its size as JSON. Throws NodeFailure if it is nested more
 * deeply than later code can walk.
 */
export function boundedJson(subject: "output" | "config", value: unknown, bytes: number): string | Promise<string> {
  const translated = (error: unknown) => {
    throw error instanceof TooDeep ? tooDeep(subject) : error;
  };
  try {
    const json = writeJsonInTurns(value, bytes, levelsMax);
    return typeof json === "string" ? json : json.catch(translated);
  } catch (error) {
    return translated(error);
  }
}

/** Checks the nesting of a value that has not been serialized. Throws NodeFailure. */
export async function requireShallow(subject: "output" | "config", value: unknown): Promise<void> {
  if (await isDeeperThan(value, levelsMax)) throw tooDeep(subject);
}
