import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { exampleOf } from "#lib/contract/examples/all.ts";
import { pathExample } from "#lib/contract/examples/path-examples.ts";
import { errorAnswers } from "./errors.ts";
import { answerHeaders, requestHeaders } from "./headers.ts";
import { inEnvelope, schemaInEnvelope } from "./in-envelope.ts";

/** One endpoint of the contract, by the name that it has there. */
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
      ? { requestBody: { required: endpoint.bodyRequired === true, content: { "application/json": content } } }
      : {}),
    responses: { ...answersOf(endpoint), ...errorAnswers(endpoint) },
  };
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
  202: "Accepted: it goes on in the background",
};

function answersOf(endpoint: Endpoint) {
  const statuses = endpoint.statuses ?? [endpoint.status];
  const headers = answerHeaders(endpoint);
  if (endpoint.shape === "empty") return { 204: { description: "Done; no body", headers } };
  if (endpoint.shape === "stream") return answersOfStream(endpoint);
  const { answer, answers = {} } = exampleOf(endpoint) ?? {};
  return Object.fromEntries(
    statuses.map((status) => {
      const content = {
        schema: schemaInEnvelope(endpoint),
        example: inEnvelope(endpoint, answers[status] ?? answer),
      };
      return [status, { description: meanings[status] ?? "Done", headers, content: { "application/json": content } }];
    }),
  );
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
