import type { Json, JsonObject } from "#lib/engine/json.ts";

/** One operation as the reference shows it: plain data, so that a page can pass it to the browser. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for a parameter; for an event, in words. */
  readonly path: string;
  /** An event: the service sends it, so it cannot be called. */
  readonly isEvent: boolean;
  /** The prefix of the path: origin and version. */
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
  /** Without a key or a session. */
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
  /** A sample value. */
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
  /** For a failure: its possible codes. */
  readonly codes: readonly string[];
}

/** An operation in a list of them. */
export type OperationLink = Pick<Operation, "id" | "method" | "path" | "summary" | "tag">;

/** What the browser needs to send an operation's request. */
export interface Tryable {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The path's prefix, at this origin. */
  readonly base: string;
  readonly access: Access;
  /** It cannot be undone. */
  readonly isDestructive: boolean;
  readonly fields: readonly TryableField[];
  /** The default body; null if none is sent. */
  readonly body: string | null;
}

export interface TryableField extends Pick<Parameter, "name" | "in" | "isRequired" | "description"> {
  readonly example: string;
  /** The options; empty for free text. */
  readonly options: readonly string[];
}

/** The browser's part of an operation; its schemas stay on the server. */
export function tryOperationOf(operation: Operation): Tryable {
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
