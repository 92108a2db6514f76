import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { allEndpoints } from "#lib/contract/all.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { type ErrorCode, errorStatus } from "#lib/errors.ts";
import { env } from "#lib/platform/env.ts";

const envelopeOfError = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: "Error" });

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

const errorWords: Record<number, string> = {
  400: "The request is not valid, or the state does not allow it",
  401: "No valid API key",
  403: "The key's scopes or the member's role do not allow it",
  404: "Not found",
  409: "A stale If-Match, or an Idempotency-Key used for another request",
  413: "The body is too large",
  429: "The hour's requests are used up; Retry-After tells when to come back",
  500: "A fault of ours",
  503: "The service cannot reach its database; Retry-After tells when to come back",
};

/** The API as an OpenAPI 3.1 document, made from the schemas that validate requests and answers. */
export function openApiDocument() {
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Millrace",
      version: "1.0.0",
      description: "Make flows, run them, watch every run. Bearer keys; JSON in the envelope `{success, data}`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${env().publicUrl}/api/v1` }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: "http", scheme: "bearer" } } },
    paths: { ...pathsOf(allEndpoints), ...triggerPath },
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
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-zA-Z]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, scope === null ? undefined : `Scope: \`${scope}\`.`]
      .filter(Boolean)
      .join("\n\n"),
    requestParams: { path: params as z.ZodObject, query: query as z.ZodObject },
    ...(takesBody
      ? {
          requestBody: {
            required: endpoint.bodyRequired === true,
            content: { "application/json": { schema: body } },
          },
        }
      : {}),
    responses: { ...answersOf(endpoint), ...errorAnswers(endpoint) },
  };
}

function answersOf(endpoint: Endpoint) {
  const statuses = endpoint.statuses ?? [endpoint.status];
  if (endpoint.shape === "empty") return { 204: { description: "Done; no body" } };
  const answer = { description: "The answer", content: { "application/json": { schema: envelopeOf(endpoint) } } };
  return Object.fromEntries(statuses.map((status) => [status, answer]));
}

function envelopeOf({ shape, answer }: Endpoint): z.ZodType {
  if (shape === "bare") return answer;
  if (shape === "list") return z.object({ success: z.literal(true), data: z.array(answer), pagination });
  return z.object({ success: z.literal(true), data: answer });
}

function errorAnswers({ path, method }: Endpoint) {
  const unlikely = [...(path.includes(":") ? [] : [404]), ...(method === "GET" ? [409, 413] : [])];
  const statuses = Object.keys(errorWords).filter((status) => !unlikely.includes(Number(status)));
  const content = { "application/json": { schema: envelopeOfError } };
  return Object.fromEntries(
    statuses.map((status) => [status, { description: errorWords[Number(status)] ?? "", content }]),
  );
}

const triggerPath: ZodOpenApiPathsObject = {
  "/webhooks/{hookId}": {
    summary: "A flow's trigger URL",
    description:
      "Generated with the flow (`trigger.config.url`); takes the method that the trigger is set to, and no API key.",
    post: {
      operationId: "callTrigger",
      tags: ["Trigger URLs"],
      summary: "Start a flow with data of one's own",
      security: [],
      requestParams: { path: z.object({ hookId: z.string() }) },
      requestBody: { required: false, content: { "application/json": { schema: z.unknown() } } },
      responses: {
        200: { description: "The flow's output", content: { "application/json": { schema: z.unknown() } } },
        202: {
          description: "The run goes on in the background",
          content: {
            "application/json": { schema: z.object({ executionId: z.string(), status: z.literal("running") }) },
          },
        },
        400: { description: "The body is not valid, or the flow is inactive" },
        401: { description: "The trigger's own authentication failed" },
        404: { description: "No such trigger" },
        500: { description: "The flow failed", content: { "application/json": { schema: envelopeOfError } } },
      },
    },
  },
};
