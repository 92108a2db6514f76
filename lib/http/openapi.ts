import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { allEndpoints } from "#lib/contract/all.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { exampleOf } from "#lib/contract/examples/all.ts";
import { env } from "#lib/platform/env.ts";
import { errorAnswers } from "./openapi-errors.ts";
import { answerHeaders, requestHeaders } from "./openapi-headers.ts";
import { triggerPath } from "./openapi-trigger.ts";

const pagination = z
  .object({
    page: z.int(),
    limit: z.int(),
    total: z.int(),
    totalPages: z.int(),
    hasNext: z.boolean(),
    hasPrev: z.boolean(),
    searchedSince: z.iso.datetime().optional(),
  })
  .meta({ id: "Pagination" });

/** The API as an OpenAPI 3.1 document, made from the schemas that validate requests and answers. */
export function openApiDocument() {
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: "Millrace",
      version: "1.0.0",
      description: "Make flows, run them, watch every run. Bearer keys; JSON in the envelope `{success, data}`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${env().publicUrl}/api/v1` }],
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key, made under Settings or at `/api-keys`" },
      },
    },
    paths: { ...pathsOf(allEndpoints), ...triggerPath },
  };
  return createDocument(document, {
    override: ({ jsonSchema }) => {
      // `format` says the same as zod's pattern for it, which nobody can read.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    },
  });
}

function pathsOf(endpoints: readonly Endpoint[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return paths;
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { method, path, params, query, body, scope } = endpoint;
  const isNothing = body instanceof z.ZodObject && Object.keys(body.shape).length === 0;
  const takesBody = method !== "GET" && !isNothing;
  const example = exampleOf(endpoint)?.body;
  const content = { schema: body, ...(example === undefined ? {} : { example }) };
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-zA-Z]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, scope === null ? undefined : `Scope: \`${scope}\`.`]
      .filter(Boolean)
      .join("\n\n"),
    requestParams: { path: params as z.ZodObject, query: query as z.ZodObject, header: requestHeaders(endpoint) },
    ...(takesBody
      ? { requestBody: { required: endpoint.bodyRequired === true, content: { "application/json": content } } }
      : {}),
    responses: { ...answersOf(endpoint), ...errorAnswers(endpoint) },
  };
}

function answersOf(endpoint: Endpoint) {
  const statuses = endpoint.statuses ?? [endpoint.status];
  const headers = answerHeaders(endpoint);
  if (endpoint.shape === "empty") return { 204: { description: "Done; no body", headers } };
  if (endpoint.shape === "stream") return answersOfStream(endpoint);
  const example = exampleOf(endpoint)?.answer;
  const content = {
    schema: envelopeOf(endpoint),
    ...(example === undefined ? {} : { example: inEnvelope(endpoint, example) }),
  };
  const answer = { description: "The answer", headers, content: { "application/json": content } };
  return Object.fromEntries(statuses.map((status) => [status, answer]));
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

function envelopeOf({ shape, answer }: Endpoint): z.ZodType {
  if (shape === "bare") return answer;
  if (shape === "list") return z.object({ success: z.literal(true), data: z.array(answer), pagination });
  return z.object({ success: z.literal(true), data: answer });
}

function inEnvelope({ shape }: Endpoint, example: unknown): unknown {
  if (shape === "bare") return example;
  const page = { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false, hasPrev: false };
  if (shape === "list") return { success: true, data: [example], pagination: page };
  return { success: true, data: example };
}
