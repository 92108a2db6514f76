import type { Json, JsonObject } from "#lib/engine/json.ts";

/** One operation as the reference shows it: plain data, so that a page can hand it to the browser. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for a parameter; of an event, in words. */
  readonly path: string;
  /** Not called by anybody: it is what the service sends to others. */
  readonly isEvent: boolean;
  /** What stands before the path: origin and version. */
  readonly base: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly parameters: readonly Parameter[];
  readonly body: Content | null;
  readonly isBodyRequired: boolean;
  readonly answers: readonly Answer[];
}

/** Who may call it. */
export interface Access {
  /** By nobody in particular: no key and no session is asked for. */
  readonly isOpen: boolean;
  readonly takesKeys: boolean;
  readonly takesSessions: boolean;
  readonly scopes: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonObject;
  /** What it may look like. */
  readonly example: string | undefined;
}

export interface Content {
  readonly type: string;
  readonly schema: JsonObject;
  readonly example: Json | undefined;
}

export interface Answer {
  /** `200`, or a class such as `2XX`. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  readonly content: Content | null;
  /** Of a failure: the codes that it can have. */
  readonly codes: readonly string[];
}

/** An operation in a list of them. */
export type OperationLink = Pick<Operation, "id" | "method" | "path" | "summary" | "tag">;

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
