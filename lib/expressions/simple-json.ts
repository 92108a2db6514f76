import { nestingDepth } from "#lib/engine/json.ts";
import type { SimpleRun } from "./simple-program.ts";
import { finite, unsure } from "./simple-values.ts";

/** Deeper ones the sandbox reads, which may come to the end of its stack. */
const depthMax = 50;

/** `JSON.parse(text)`. What is no JSON, and a number that is none once it is read, is left to the sandbox. */
export function readJson(run: SimpleRun, text: unknown): unknown {
  if (typeof text !== "string") throw unsure;
  run.spend(1 + (text.length >> 1));
  const value = parsed(text);
  if (nestingDepth(value, depthMax) > depthMax) throw unsure;
  requireNumbers(run, value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unsure;
  }
}

/** `1e999` is no longer a number, and `-0` is not written as it is read. */
function requireNumbers(run: SimpleRun, root: unknown): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    run.spend(1);
    if (typeof value === "number") finite(value);
    if (typeof value === "object" && value !== null) for (const item of Object.values(value)) pending.push(item);
  }
}
