import { type FlowSettings, flowSettings } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { byName, type Choose, mapSides, mergeByKey, type Sides } from "./merge-sides.ts";

/** How items of the canvas's lists are identified. */
const identityOf: Readonly<Record<string, string>> = { notes: "id", groups: "id", samples: "name" };

/** Merges settings one by one; for the canvas, each note, group, sample and pinned output. */
export function mergeSettings(sides: Sides<FlowSettings>, choose: Choose): FlowSettings {
  const entries = mapSides(sides, ({ canvas: _, ...settings }) => entriesOf(JSON.parse(JSON.stringify(settings))));
  const merged = mergeByKey(entries, (key, values) =>
    choose({ key: `setting ${key}`, what: `The setting ${key}` }, values),
  );
  const canvas = mergeCanvas(
    mapSides(sides, (settings) => settings.canvas),
    choose,
  );
  return flowSettings.parse({ ...Object.fromEntries(merged), ...(canvas && { canvas }) });
}

/** `loop`: whose body the canvas is of; undefined for the flow's own. */
function mergeCanvas(sides: Sides<JsonObject | undefined>, choose: Choose, loop?: string): JsonObject | undefined {
  if (sides.own === undefined && sides.other === undefined) return undefined;
  const merged = mergeByKey(mapSides(sides, entriesOf), (key, values) => mergePart(key, values, choose, loop));
  return Object.fromEntries(merged);
}

function mergePart(key: string, sides: Sides<Json | undefined>, choose: Choose, loop?: string): Json | undefined {
  const where = loop === undefined ? {} : { where: loop };
  const named = (what: string, item = "") => ({ key: `canvas ${loop ?? ""} ${key} ${item}`, what, ...where });
  const identity = identityOf[key];
  const members = () => mapSides(sides, (side) => entriesOf(asObject(side)));
  if (key === "pins") {
    const pins = mergeByKey(members(), (id, values) => choose(named(`The pinned output of ${id}`, id), values));
    return Object.fromEntries(pins);
  }
  if (key === "bodies") {
    const bodies = mergeByKey(members(), (id, body) => {
      const isRemoved = body.own === undefined || body.other === undefined;
      if (isRemoved) return choose({ ...named("A loop on the canvas", id), where: id }, body);
      return mergeCanvas(mapSides(body, asObject), choose, id);
    });
    return Object.fromEntries(bodies);
  }
  if (identity === undefined) return choose(named(`The ${key} on the canvas`), sides);
  const items = mapSides(sides, (side) => itemsOf(side, identity));
  const merged = mergeByKey(items, (name, values) => choose(named(`One of the ${key}: ${name}`, name), values));
  return [...merged.values()];
}

function asObject(json: Json | undefined): JsonObject | undefined {
  return isJsonObject(json) ? json : undefined;
}

function entriesOf(record: JsonObject | undefined): Map<string, Json> {
  return new Map(Object.entries(record ?? {}));
}

/** Several with the same name are distinguished by their order. */
function itemsOf(list: Json | undefined, identity: string): Map<string, Json> {
  const items = Array.isArray(list) ? list : [];
  return byName(items, (item) => (isJsonObject(item) ? String(item[identity]) : JSON.stringify(item)));
}
