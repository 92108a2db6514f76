import type { NodeType } from "#lib/contract/node-types.ts";
import { isJsonObject } from "#lib/engine/json.ts";

/** The names of a type's config fields, at any depth, whose text is a program as a whole. */
export function programFields(type: NodeType | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (schema: unknown, name: string): void => {
    if (!isJsonObject(schema)) return;
    if (schema.format === "expression" || schema.format === "code") found.add(name);
    if (isJsonObject(schema.properties)) {
      for (const [key, child] of Object.entries(schema.properties)) visit(child, key);
    }
    visit(schema.items, name);
  };
  visit(type?.configSchema, "");
  return found;
}
