import type { z } from "zod";
import { isJsonObject, type Json } from "./json.ts";

/**
 * Why a value is refused, for its sender. A missing value is reported as missing, whatever its schema would say about a
 * wrong type. Parse with `reportInput`: only then does an issue contain the value.
 */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  return issue.message.replace(/^Invalid input: /, "");
}

/** The titles of the fields on a path of a config, by its JSON Schema: "Retry: Attempts", "Cases 2". */
export function fieldTitle(configSchema: unknown, path: string): string {
  const words: string[] = [];
  let at = configSchema;
  for (const [step = "", , index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index === undefined) {
      const field = fieldOf(at, step);
      words.push(titleOf(field) ?? step);
      at = field;
    } else {
      const last = words.length - 1;
      if (last >= 0) words[last] = `${words[last]} ${Number(index) + 1}`;
      at = isJsonObject(at) ? at.items : undefined;
    }
  }
  return words.join(": ");
}

/**
 * What is wrong with a config, with its fields' titles in place of their names: "ms: is required, unless until is given"
 * becomes "Duration is required, unless Until is given". Anything else stays as it is.
 */
export function withFieldTitles(message: string, configSchema: unknown): string {
  const parts = message.split("; ");
  for (const [index, part] of parts.entries()) {
    const [, path = "", said = ""] = /^([\w$.[\]-]+): (.+)$/s.exec(part) ?? [];
    const [first = ""] = path.split(/[.[]/, 1);
    if (fieldOf(configSchema, first) === undefined) break;
    const title = fieldTitle(configSchema, path);
    parts[index] = follows.test(said) ? `${title} ${withOtherTitles(said, configSchema)}` : `${title}: ${said}`;
    // What follows may belong to the expression that is quoted.
    if (said.includes("`")) break;
  }
  return parts.join("; ");
}

/** The same for what such a message says of its field: "is required, unless until is given". */
export function withOtherTitles(said: string, configSchema: unknown): string {
  return said.replace(/\b(unless|or) (\w+)/g, (all, word, name) => {
    const title = titleOf(fieldOf(configSchema, name));
    return title === undefined ? all : `${word} ${title}`;
  });
}

/** The words that follow a field's name without a colon. */
const follows = /^(is|are|must|needs|has|have|cannot|takes)\b/;

function fieldOf(schema: unknown, name: string): Json | undefined {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return undefined;
  return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}

function titleOf(field: Json | undefined): string | undefined {
  return isJsonObject(field) && typeof field.title === "string" ? field.title : undefined;
}
