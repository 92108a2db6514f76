import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";

interface ReadObject {
  readonly data: JsonObject | null;
  readonly problem: string | null;
}

/** Reads a JSON object that somebody typed, or says what is wrong with it. */
export function readObject(text: string): ReadObject {
  try {
    const data: unknown = JSON.parse(text);
    if (isJsonObject(data)) return { data, problem: null };
    return { data: null, problem: 'The input must be an object, such as {"id": 7}.' };
  } catch (error) {
    return { data: null, problem: `This is not JSON: ${error instanceof Error ? error.message : "unreadable"}.` };
  }
}
