import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { type Endpoint, isIdempotent } from "#lib/contract/endpoint.ts";
import { exampleOf, pathExample } from "#lib/contract/examples/all.ts";
import { errorAnswers } from "./errors.ts";

const idempotencyKey = z
  .string()
  .max(255)
  .optional()
  .describe("The same key with the same body within 24 hours gives the first answer again");

const ifMatch = z
  .string()
  .optional()
  .describe("The version that was read, as its ETag has it; 409 when that has changed since");

const ifRevision = z
  .string()
  .optional()
  .describe("The working copy's revision that was read, as its ETag has it; 409 when it has changed since");

const ifRow = z
  .string()
  .optional()
  .describe("The row's version that was read, as its ETag has it; 409 when the row has changed since");

const lastEventId = z
  .string()
  .optional()
  .describe("The id of the last event that the client has; browsers send it when they connect again");

/** What the version in `ETag` belongs to. */
function versionedBy({ checksVersion }: Endpoint): "flow" | "revision" | "row" {
  return typeof checksVersion === "string" ? checksVersion : "flow";
}

const etagDescriptions = {
  flow: "The version of the flow's content, which does not change with name, tags, status or settings; or of the test",
  revision: "The working copy's revision",
  row: "The row's version",
} as const;

/** The headers that an operation reads, besides `Authorization`. */
function requestHeaders(endpoint: Endpoint): z.ZodObject {
  return z.object({
    ...(isIdempotent(endpoint) ? { "Idempotency-Key": idempotencyKey } : {}),
    ...(endpoint.checksVersion !== undefined && endpoint.method !== "GET" && endpoint.path.includes(":")
      ? { "If-Match": { revision: ifRevision, row: ifRow, flow: ifMatch }[versionedBy(endpoint)] }
      : {}),
    ...(endpoint.shape === "stream" ? { "Last-Event-ID": lastEventId } : {}),
  });
}

/** The headers of a success, besides those of every answer. */
function answerHeaders(endpoint: Endpoint): z.ZodObject {
  return z.object({
    "X-Request-Id": z.string().meta({
      description: "Names this request in the server's log",
      examples: ["4f3c2b1a-7d6e-4c5b-8a9f-0e1d2c3b4a59"],
    }),
    "X-RateLimit-Limit": z.int().optional().describe("Requests an hour; only on answers to a key"),
    "X-RateLimit-Remaining": z.int().optional().describe("Requests left in this hour"),
    "X-RateLimit-Reset": z.int().optional().describe("When the hour ends, in Unix seconds"),
    ...(isIdempotent(endpoint)
      ? { "Idempotency-Replayed": z.literal("true").optional().describe("The first answer, again") }
      : {}),
    ...(endpoint.checksVersion !== undefined && endpoint.shape !== "empty"
      ? {
          ETag: z.string().meta({
            // Publishing answers with the flow.
            description: etagDescriptions[endpoint.method === "POST" ? "flow" : versionedBy(endpoint)],
            examples: ['"7"'],
          }),
        }
      : {}),
  });
}

const pagination = z
  .object({
    page: z.int().describe("Number of the page, from 1"),
    limit: z.int().describe("Items per page"),
    total: z.int().describe("All items that match"),
    totalPages: z.int().describe("Pages in all; 0 when nothing matches"),
    hasNext: z.boolean().describe("Whether a page follows"),
    hasPrev: z.boolean().describe("Whether a page comes before"),
    searchedSince: z.iso
      .datetime()
      .optional()
      .describe("Start of the earliest item that a search covered, if it did not cover all"),
  })
  .meta({ id: "Pagination" });

/** The complete body of a success: its payload in the envelope, unless it is bare. */
function schemaInEnvelope({ shape, answer }: Endpoint): z.ZodType {
  if (shape === "bare") return answer;
  if (shape === "list")
    return z.object({
      success: z.literal(true).describe("Whether the request succeeded"),
      data: z.array(answer).describe("The result"),
      pagination: pagination.describe("This page's position in the list"),
    });
  return z.object({
    success: z.literal(true).describe("Whether the request succeeded"),
    data: answer.describe("The result"),
  });
}

/** An example payload (for a list, of one item) as it is sent. */
function inEnvelope({ shape }: Endpoint, example: unknown): unknown {
  if (shape === "bare") return example;
  const page = { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false, hasPrev: false };
  if (shape === "list") return { success: true, data: [example], pagination: page };
  return { success: true, data: example };
}

/** An endpoint of the contract, by its name. */
export function operationOf(name: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  const { method, query, body, scope } = endpoint;
  const isNothing = body instanceof z.ZodObject && Object.keys(body.shape).length === 0;
  const takesBody = method !== "GET" && !isNothing;
  const example = exampleOf(endpoint)?.body;
  const content = { schema: body, ...(example === undefined ? {} : { example }) };
  const scopes = scope === null ? [] : [scope];
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    security: [...(endpoint.peopleOnly === true ? [] : [{ apiKey: scopes }]), { session: scopes }],
    requestParams: { path: pathParams(endpoint), query: query as z.ZodObject, header: requestHeaders(endpoint) },
    ...(takesBody
      ? {
          requestBody: {
            required: endpoint.bodyRequired === true,
            content: { [bodyTypeOf(endpoint)]: content, ...(endpoint.alsoYaml === "body" ? yamlContent : {}) },
          },
        }
      : {}),
    responses: { ...answersOf(endpoint), ...errorAnswers(endpoint) },
  };
}

const yamlContent = { "application/yaml": { schema: { type: "string" as const } } };

function bodyTypeOf({ bodyType }: Endpoint): string {
  if (bodyType === "file") return "application/octet-stream";
  return bodyType === "csv" ? "text/csv" : "application/json";
}

function pathParams({ path, params }: Endpoint): z.ZodObject {
  const { shape } = params as z.ZodObject;
  const named = Object.entries(shape).map(([name, schema]) => {
    const example = pathExample(path, name);
    return [name, example === undefined ? schema : (schema as z.ZodType).meta({ examples: [example] })];
  });
  return z.object(Object.fromEntries(named));
}

const meanings: Readonly<Record<number, string>> = {
  200: "Done",
  201: "Made",
  202: "Accepted: it continues in the background",
};

function answersOf(endpoint: Endpoint) {
  const statuses = endpoint.statuses ?? [endpoint.status];
  const headers = answerHeaders(endpoint);
  if (endpoint.shape === "empty") {
    const description = endpoint.status === 303 ? "Leads to the page in `Location`; no body" : "Done; no body";
    return { [endpoint.status]: { description, headers } };
  }
  if (endpoint.shape === "stream") return answersOfStream(endpoint);
  const { answer, answers = {} } = exampleOf(endpoint) ?? {};
  if (endpoint.shape === "csv" || endpoint.shape === "file") {
    const type = endpoint.shape === "csv" ? "text/csv" : "application/octet-stream";
    const content = { [type]: { schema: endpoint.answer, example: answer } };
    const answered = { [endpoint.status]: { description: "Done", headers, content } };
    return endpoint.shape === "csv" ? answered : { ...answered, ...answersOfPart(content) };
  }
  return Object.fromEntries(
    statuses.map((status) => {
      if (status === 304)
        return [status, { description: "As in the answer that `If-None-Match` names; no body", headers }];
      const content = {
        schema: schemaInEnvelope(endpoint),
        example: inEnvelope(endpoint, answers[status] ?? answer),
      };
      const all = { "application/json": content, ...(endpoint.alsoYaml === "answer" ? yamlContent : {}) };
      return [status, { description: meanings[status] ?? "Done", headers, content: all }];
    }),
  );
}

/** Additional answers of an operation that sends a file. */
function answersOfPart(content: object) {
  return {
    206: { description: "The part that `Range` asks for", content },
    304: { description: "The caller has it already" },
    416: { description: "The file has no such part: `Content-Range` has its size" },
  };
}

function answersOfStream(endpoint: Endpoint) {
  const headers = answerHeaders(endpoint);
  const content = { schema: endpoint.answer, example: exampleOf(endpoint)?.answer };
  const description = "Server-sent events; the schema is that of one event, whose `data` is sent as JSON";
  return {
    200: { description, headers, content: { "text/event-stream": content } },
    204: { description: "There is nothing more to tell", headers },
  };
}
