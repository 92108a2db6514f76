import { type FlowSettings, flowSettings } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { type Choose, mapSides, mergeByKey, type Sides } from "./merge-parts.ts";

/** How the lists of the canvas tell their items apart. */
const identityOf: Readonly<Record<string, string>> = { notes: "id", groups: "id", samples: "name" };

/** Merges settings one by one; of the canvas each note, group, sample and pinned output for itself. */
export function mergeSettings(sides: Sides<FlowSettings>, choose: Choose): FlowSettings {
  const entries = mapSides(sides, ({ canvas: _, ...settings }) => entriesOf(JSON.parse(JSON.stringify(settings))));
  const merged = mergeByKey(entries, (key, values) => choose(`The setting ${key}`, values));
  const canvas = mergeCanvas(
    mapSides(sides, (settings) => settings.canvas),
    choose,
  );
  return flowSettings.parse({ ...Object.fromEntries(merged), ...(canvas && { canvas }) });
}

function mergeCanvas(sides: Sides<JsonObject | undefined>, choose: Choose): JsonObject | undefined {
  if (sides.own === undefined && sides.other === undefined) return undefined;
  const merged = mergeByKey(mapSides(sides, entriesOf), (key, values) => mergePart(key, values, choose));
  return Object.fromEntries(merged);
}

function mergePart(key: string, sides: Sides<Json | undefined>, choose: Choose): Json | undefined {
  const identity = identityOf[key];
  if (key === "pins") {
    const pins = mapSides(sides, (side) => (isJsonObject(side) ? entriesOf(side) : new Map<string, Json>()));
    return Object.fromEntries(mergeByKey(pins, (id, values) => choose(`The pinned output of ${id}`, values)));
  }
  if (identity === undefined) return choose(`The ${key} on the canvas`, sides);
  const items = mapSides(sides, (side) => itemsOf(side, identity));
  return [...mergeByKey(items, (name, values) => choose(`One of the ${key}: ${name}`, values)).values()];
}

function entriesOf(record: JsonObject | undefined): Map<string, Json> {
  return new Map(Object.entries(record ?? {}));
}

function itemsOf(list: Json | undefined, identity: string): Map<string, Json> {
  const items = Array.isArray(list) ? list : [];
  return new Map(items.flatMap((item) => (isJsonObject(item) ? [[String(item[identity]), item] as const] : [])));
}
