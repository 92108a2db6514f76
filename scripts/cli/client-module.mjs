// The client as a separate module: a table of the contract's operations instead of its schemas, and their types written
// out, so that users need neither zod nor our sources.
import { z } from "zod";
import { operations } from "../../lib/contract/all.ts";
import { isIdempotent } from "../../lib/contract/endpoint.ts";
import { streamExecution } from "../../lib/contract/executions/stream.ts";

const all = Object.entries(operations).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The module's source. */
export function clientModule() {
  const table = all.map(([name, endpoint]) => {
    const { method, path, shape } = endpoint;
    return [name, { method, path, shape, ...(isIdempotent(endpoint) ? { isRepeatable: true } : {}) }];
  });
  return `import { clientOf, type Client } from "#lib/client/client.ts";
import type { ClientOptions } from "#lib/client/connection.ts";
export { ConnectionError } from "#lib/client/connection.ts";
export { verifyWebhook, WebhookError } from "#lib/client/verify-webhook.ts";
export { ApiError } from "#lib/contract/client.ts";
const operations = ${JSON.stringify(Object.fromEntries(table))} as const;
export function createClient(options: ClientOptions): Client {
  return clientOf(operations, options);
}
`;
}

/** Its types, as a declaration file. */
export function clientDeclarations() {
  const types = new Types();
  /** @type {Record<"plain" | "list" | "versioned" | "each", string[]>} */
  const methods = { plain: [], list: [], versioned: [], each: [] };
  for (const [name, endpoint] of all) {
    const { summary, shape, method, path } = endpoint;
    if (shape === "stream") continue;
    const input = inputOf(types, endpoint);
    const answer = shape === "empty" ? "undefined" : shape === "csv" ? "string" : types.of(endpoint.answer, "output");
    const about = `  /** ${summary}: \`${method} ${path}\`. */\n`;
    if (shape === "list") {
      methods.list.push(`${about}  ${name}(${input}): Promise<Page<${answer}>>;\n`);
      methods.each.push(`    ${name}(${input}): AsyncGenerator<${answer}, void, undefined>;\n`);
    } else {
      methods.plain.push(`${about}  ${name}(${input}): Promise<${answer}>;\n`);
      methods.versioned.push(`    ${name}(${input}): Promise<Versioned<${answer}>>;\n`);
    }
  }
  const event = types.of(streamExecution.answer, "output");
  return `// The client of Millrace's API. Made from the API's contract; see docs/client.md.
${fixed}
export type ExecutionStreamEvent = ${event};

export interface Client {
${methods.plain.join("")}${methods.list.join("")}  /** All items of a list, requested page by page. */
  readonly each: {
${methods.each.join("")}  };
  /** The same call, with the version that was read or written: send it as \`If-Match\`. */
  readonly versioned: {
${methods.versioned.join("")}  };
  /** Follows an execution to its end; reconnects when the connection is lost. */
  followExecution(id: string, options?: FollowOptions): AsyncGenerator<ExecutionStreamEvent, void, undefined>;
}

${types.declarations()}`;
}

const fixed = `
export interface ClientOptions {
  /** The server's URL: \`https://flows.example.com\`. */
  readonly url: string;
  /** An API key. */
  readonly key?: string | undefined;
  /** How often a request is retried if it cannot connect, or the server is busy or failing; 3 by default. */
  readonly retries?: number | undefined;
  /** How long an attempt may take until its answer begins, in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Used instead of the global \`fetch\`. */
  readonly fetch?: typeof fetch | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Creates a client for a server. Throws a TypeError for an invalid URL. Calls reject with ApiError and ConnectionError. */
export function createClient(options: ClientOptions): Client;

/** An error response of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
}

/** All attempts failed without a response. */
export class ConnectionError extends Error {
  readonly url: string;
}

/** The delivery is not signed with this secret, or is too old. */
export class WebhookError extends Error {}

/**
 * Verifies and parses a delivery by the Standard Webhooks specification. \`body\`: the unparsed bytes or text, exactly
 * as received. Rejects with WebhookError.
 */
export function verifyWebhook(
  secret: string,
  body: string | Uint8Array,
  headers: { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>,
  options?: { readonly toleranceSeconds?: number | undefined; readonly now?: number | undefined },
): Promise<ExecutionEvent>;

export interface FollowOptions {
  readonly includeNodeOutputs?: boolean | undefined;
  /** Continue after this event. */
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly pagination: Pagination;
}

export interface Versioned<Payload> {
  readonly payload: Payload;
  readonly version: number | null;
}

/** Options of every call. */
export interface CallOptions {
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}
`;

/** The body of webhooks: its schema is in the contract, but no operation answers with it. */
const { executionEvent } = await import("../../lib/contract/webhooks.ts");

/**
 * @param {Types} types
 * @param {import("../../lib/contract/endpoint.ts").Endpoint} endpoint
 */
function inputOf(types, { params, query, body }) {
  const parts = Object.entries({ params, query, body }).flatMap(([name, schema]) => {
    const type = types.of(schema, "input");
    if (type === "{}" || type === "Record<string, unknown>") return [];
    const isNeeded = name === "params" || (name === "body" && !schema.safeParse({}).success);
    return [`readonly ${name}${isNeeded ? "" : "?"}: ${type}`];
  });
  const isNeeded = parts.some((part) => /^readonly \w+:/.test(part));
  return `input${isNeeded ? "" : "?"}: CallOptions & { ${parts.join("; ")} }`.replace(" & {  }", "");
}

/** Schemas as TypeScript. Named ones are declared once. */
class Types {
  /** @type {Map<string, string>} */
  #named = new Map();

  /**
   * @param {import("zod").ZodType} schema
   * @param {"input" | "output"} io
   */
  of(schema, io) {
    const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
    const nameOf = (/** @type {string} */ id) => (io === "input" ? `${id}Input` : id);
    const write = (/** @type {any} */ part) => typeOf(part, (id) => nameOf(id));
    for (const [id, part] of Object.entries($defs)) {
      if (!this.#named.has(nameOf(id))) this.#named.set(nameOf(id), write(part));
    }
    const { id } = /** @type {{ id?: string }} */ (root);
    if (id === undefined) return write(root);
    this.#named.set(nameOf(id), write(root));
    return nameOf(id);
  }

  declarations() {
    this.of(executionEvent, "output");
    const names = [...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return names.map(([name, type]) => `export type ${name} = ${type};\n`).join("\n");
  }
}

/**
 * @param {any} schema a JSON Schema, as zod writes it
 * @param {(id: string) => string} nameOf
 * @returns {string}
 */
function typeOf(schema, nameOf) {
  const of = (/** @type {any} */ part) => typeOf(part, nameOf);
  if (schema === true || schema === undefined) return "unknown";
  if (schema === false) return "never";
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split("/").at(-1));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return schema.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined && schema.type === undefined) return union.map(of).join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map(of).join(" & ");
  if (Array.isArray(schema.type))
    return schema.type.map((/** @type {string} */ type) => of({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return schema.prefixItems === undefined
        ? `Array<${of(schema.items)}>`
        : `[${schema.prefixItems.map(of).join(", ")}]`;
    case "object":
      return objectOf(schema, of);
    default:
      return "unknown";
  }
}

/**
 * @param {any} schema
 * @param {(part: unknown) => string} of
 */
function objectOf({ properties = {}, required = [], additionalProperties }, of) {
  const members = Object.entries(properties).map(([name, part]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${required.includes(name) ? "" : "?"}: ${of(part)}`;
  });
  const isOpen = typeof additionalProperties === "object" || additionalProperties === true;
  if (members.length === 0) return isOpen ? `Record<string, ${of(additionalProperties)}>` : "{}";
  return `{ ${members.join("; ")}${isOpen ? "; [key: string]: unknown" : ""} }`;
}
