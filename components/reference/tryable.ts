import type { JsonObject } from "#lib/engine/json.ts";
import type { Access, Operation, Parameter } from "./operation.ts";

/** What the browser needs of an operation to send it a request. */
export interface Tryable {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The path before it, at this origin. */
  readonly base: string;
  readonly access: Access;
  /** What it does cannot be undone. */
  readonly isDestructive: boolean;
  readonly fields: readonly TryableField[];
  /** What is sent unless something else is written; null where nothing is sent. */
  readonly body: string | null;
}

export interface TryableField extends Pick<Parameter, "name" | "in" | "isRequired" | "description"> {
  readonly example: string;
  /** What can be chosen; empty for any text. */
  readonly options: readonly string[];
}

/** That of an operation; its schemas stay on the server. */
export function tryableOf(operation: Operation): Tryable {
  const { id, method, path, base, access, parameters, body } = operation;
  return {
    id,
    method,
    path,
    base: new URL(base).pathname,
    access,
    isDestructive: method === "DELETE" || /delete/i.test(id),
    fields: parameters.map(({ name, in: place, isRequired, description, schema, example = "" }) => ({
      name,
      in: place,
      isRequired,
      description,
      example,
      options: optionsOf(schema),
    })),
    body: body === null ? null : JSON.stringify(body.example ?? {}, null, 2),
  };
}

function optionsOf(schema: JsonObject): string[] {
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  return schema.type === "boolean" ? ["true", "false"] : [];
}
