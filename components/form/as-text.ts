import type { Json } from "#lib/engine/json.ts";

/** A value as a text field shows it. */
export function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
