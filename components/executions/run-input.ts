import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";

/** A possible input of a run. */
export interface RunInput {
  readonly id: string;
  readonly label: string;
  readonly data: unknown;
}

const samplePrefix = "sample:";

/** The id of a sample, by its name. */
export function sampleId(name: string): string {
  return `${samplePrefix}${name}`;
}

/** The name of the sample with an id; null for anything else. */
export function sampleName(id: string): string | null {
  return id.startsWith(samplePrefix) ? id.slice(samplePrefix.length) : null;
}

interface ReadObject {
  readonly data: JsonObject | null;
  readonly problem: string | null;
}

/** Parses a typed JSON object, or reports what is wrong with it. */
export function readObject(text: string): ReadObject {
  try {
    const data: unknown = JSON.parse(text);
    if (isJsonObject(data)) return { data, problem: null };
    return { data: null, problem: 'The input must be an object, such as {"id": 7}.' };
  } catch (error) {
    return { data: null, problem: `Not valid JSON: ${error instanceof Error ? error.message : "unreadable"}.` };
  }
}
