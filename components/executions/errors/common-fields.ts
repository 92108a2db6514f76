import { withFieldTitles } from "#lib/engine/issue-message.ts";
import { isJsonObject, type Json } from "#lib/engine/json.ts";

/** A config field, or a whole config, of several node types. */
interface CommonField {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, CommonField>>;
  readonly items?: CommonField;
}

interface TypeWithSchema {
  readonly configSchema: unknown;
}

const known = new WeakMap<readonly TypeWithSchema[], CommonField>();

/**
 * A run's error with titles in place of the names of config fields. The list of runs does not say which type of node
 * failed, so only fields that have one title in all types are named: all but four.
 */
export function titledError(message: string, types: readonly TypeWithSchema[]): string {
  const fields = known.get(types) ?? commonFields(types);
  known.set(types, fields);
  const lead = /^\w[\w ]+ after [\w. ]+: /.exec(message)?.[0] ?? "";
  return lead + withFieldTitles(message.slice(lead.length), fields);
}

/** What the schemas of these types have in common. */
function commonFields(types: readonly TypeWithSchema[]): CommonField {
  return merged(types.map(({ configSchema }) => configSchema)) ?? {};
}

/** One field as several schemas have it; undefined if their titles differ. */
function merged(schemas: readonly unknown[]): CommonField | undefined {
  const objects = schemas.filter(isJsonObject);
  const titles = new Set(objects.map(({ title }) => (typeof title === "string" ? title : undefined)));
  if (titles.size > 1) return undefined;
  const [title] = titles;
  const byName = new Map<string, Json[]>();
  for (const { properties } of objects) {
    if (!isJsonObject(properties)) continue;
    for (const [name, field] of Object.entries(properties)) {
      if (field !== undefined) byName.set(name, [...(byName.get(name) ?? []), field]);
    }
  }
  const fields = [...byName].flatMap(([name, all]) => {
    const field = merged(all);
    return field === undefined ? [] : [[name, field] as const];
  });
  const items = objects.flatMap((object) => (object.items === undefined ? [] : [object.items]));
  const item = items.length === 0 ? undefined : merged(items);
  return {
    ...(title !== undefined && { title }),
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
    ...(item !== undefined && { items: item }),
  };
}
