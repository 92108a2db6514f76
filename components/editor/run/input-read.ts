import type { FlowNode } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

const pathsMax = 200;
/** What an expression reads of the input; before it, whether a loop runs over it, and after it, whether it is called. */
const reads = /("items":"(?:\{\{\s*)?)?\$trigger\.body((?:\??\.[A-Za-z_][\w$]*)+)(\()?/g;
const ofLists = new Set(["length", "map", "filter", "reduce", "some", "every", "find", "flatMap", "forEach", "at"]);

/** The input that the nodes' expressions read, with empty values: `{"customer": {"email": ""}, "items": []}`. */
export function inputRead(nodes: readonly FlowNode[]): JsonObject {
  const input: { [name: string]: Json } = {};
  let count = 0;
  for (const [, loop, path = "", call] of JSON.stringify(nodes).matchAll(reads)) {
    count += 1;
    if (count > pathsMax) break;
    const names = path.split(/\??\./).slice(1);
    const last = names.at(-1) ?? "";
    const isList = loop !== undefined || ofLists.has(last);
    if (call !== undefined || last === "length") names.pop();
    put(input, names, isList ? [] : "");
  }
  return input;
}

/** Sets the value at a path. What is known already about its parts is kept. */
function put(input: { [name: string]: Json }, names: readonly string[], value: Json): void {
  let at = input;
  for (const [index, name] of names.entries()) {
    if (name === "__proto__") return;
    const known = at[name];
    if (index === names.length - 1) {
      if (known === undefined || known === "") at[name] = value;
      return;
    }
    if (Array.isArray(known)) return;
    const inner = isJsonObject(known) ? known : {};
    at[name] = inner;
    at = inner;
  }
}
