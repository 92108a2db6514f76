import { textDepth } from "#lib/engine/json.ts";
import { type JsonText, jsonText } from "#lib/engine/outcome.ts";
import type { Run } from "#lib/executions/run.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { giveWayAfter } from "#lib/platform/turns.ts";

/**
 * Levels of nesting that a node's data may have. `JSON.parse` reads any number of them, but whatever walks through a value
 * afterwards, `JSON.stringify` first of all, has a stack that ends at a few thousand.
 */
const levelsMax = 500;

/** What a node leaves behind, as JSON and with secrets hidden. Throws NodeFailure. */
export async function outputOf(run: Run, output: unknown): Promise<JsonText> {
  const text = boundedJson("output", output);
  await giveWayAfter(text.json.length);
  return run.mask === noMask ? text : await run.mask.output(text);
}

/** The same of a value that is no output by itself, such as what a loop runs for. */
export async function hidden<Value>(run: Run, value: Value): Promise<Value> {
  return run.mask === noMask ? value : ((await outputOf(run, value)).value as Value);
}

/** The beginning of a value as JSON, to quote: without secrets, not even the half of one that was cut. */
export function quoted(run: Run, value: unknown, charactersMax: number): string | undefined {
  const json = JSON.stringify(value);
  // A secret that begins before the cut is found there as long as eight characters of it are left.
  return json && run.mask.pieces(json.slice(0, 4 * charactersMax)).slice(0, charactersMax);
}

/** A node's value as JSON. Throws NodeFailure when it is nested more deeply than what comes after can walk through. */
export function boundedJson(what: "output" | "config", value: unknown): JsonText {
  try {
    const text = jsonText(value);
    // Each level takes two characters at least.
    if (text.json.length < 2 * levelsMax || textDepth(text.json, levelsMax) <= levelsMax) return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new NodeFailure(`${what.toUpperCase()}_TOO_DEEP`, `The ${what} is nested deeper than ${levelsMax} levels`);
}
