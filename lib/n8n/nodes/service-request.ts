import type { Json, JsonObject } from "#lib/engine/json.ts";
import { asTemplate } from "../expressions/read-value.ts";
import { NotConverted } from "../source.ts";
import type { Around } from "./convert-node.ts";

export const template = ({ parameters }: Around, path: string): Json => (parameters.template(path) ?? "") as Json;

/**
 * A value that n8n lets people choose by the address of its page, of which the pattern's first group is kept. Throws
 * NotConverted.
 */
export function chosen(context: Around, path: string, inUrl: RegExp): Json {
  if (!context.parameters.isByUrl(path)) return template(context, path);
  const [, found] = inUrl.exec(context.parameters.text(path)) ?? [];
  if (found === undefined) throw new NotConverted(`the address in “${path}”`);
  return found;
}

/** A request to a service's API; the item is in the answer's body. */
export function request(context: Around, method: string, url: string, body: JsonObject | null, json = "") {
  const credential = context.credential("bearer");
  return {
    type: "http-request",
    config: {
      method,
      url,
      ...(body === null ? {} : { body, bodyType: "json" }),
      ...(credential === undefined ? {} : { credential }),
    },
    json: (output: string) => `${output}.body${json}`,
  };
}

/** Refuses operations that a converter does not know. Throws NotConverted. */
export function only(
  context: Around,
  resource: string,
  operations: readonly string[],
  resourceOtherwise: string,
  otherwise: string,
): string {
  const { parameters } = context;
  const given = parameters.text("resource", resourceOtherwise);
  const operation = parameters.text("operation", otherwise);
  if (given !== resource || !operations.includes(operation))
    throw new NotConverted(`the operation “${given}: ${operation}”`);
  return operation;
}

/** Columns with their values. */
export function fieldsOf({ parameters }: Around, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, asTemplate(parameters.memberValue("columns.value", name)) as Json]),
  );
}
