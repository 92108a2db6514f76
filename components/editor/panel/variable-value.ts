import { isJsonObject, type Json } from "#lib/engine/json.ts";

/** How a variable's value is entered. */
export const variableKinds = { text: "Text", number: "Number", boolean: "Yes or no", json: "JSON" } as const;
export type VariableKind = keyof typeof variableKinds;

/** The type that a value is shown as. */
export function kindOfVariable(value: Json): VariableKind {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "json";
}

/** Converts the value to another type, as far as possible. */
export function asKind(value: Json, kind: VariableKind): Json {
  if (kind === "text") return typeof value === "string" ? value : JSON.stringify(value);
  if (kind === "number") {
    const number = typeof value === "string" && value.trim() === "" ? 0 : Number(value);
    return Number.isFinite(number) ? number : 0;
  }
  if (kind === "boolean") return value === true || value === "true" || value === 1;
  return isJsonObject(value) || Array.isArray(value) ? value : null;
}
