import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { operations } from "#lib/contract/all.ts";
import { conventions, tagDescriptions } from "#lib/contract/conventions.ts";
import { exampleOf } from "#lib/contract/examples/all.ts";
import { resumeNode } from "#lib/contract/executions/waits.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { env } from "#lib/platform/env.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { answersWith } from "./errors.ts";
import { eventDeliveries } from "./event-deliveries.ts";
import { nameBodies } from "./name-bodies.ts";
import { operationOf } from "./operation.ts";
import { servicePaths } from "./service-paths.ts";
import { callTrigger } from "./trigger-url.ts";

const tags = ["Resume addresses"];
const path = z.object({
  token: z.string().meta({
    description: "The end of this node's URL in this run. Whoever has it may resume the node",
    examples: ["exec_01kad7c9p2f6atqxv3m0wz8y5n.dw.sR1pFx1ihTQiOZLejF2oDaRsPp3rHuaMh7X0kGr4Oso"],
  }),
});
const page = { "text/html": { schema: { type: "string" as const }, example: "<!doctype html>…" } };
const { body, answer } = exampleOf(resumeNode) ?? {};

/** The URL of a node that waits for a call (`$resume['<node id>']`), for people in a browser and for programs. */
const resumeAddress: ZodOpenApiPathItemObject = {
  get: {
    operationId: "showResume",
    tags,
    summary: "Read a waiting step",
    description: "A page with the step's form or a button. Reading it resumes nothing. It works without JavaScript.",
    security: [],
    requestParams: { path },
    responses: {
      200: { description: "The page: the form, or a message that it needs no answer any more", content: page },
      404: { description: "A page: there is no such step", content: page },
    },
  },
  post: {
    operationId: "resume",
    tags,
    summary: "Resume a waiting step",
    description: `Resumes the node, once; the body (JSON, a form or text) is its \`output.body\`. With a form, the answers
are checked against it. A call that arrives before the run reaches the node is kept for it. A browser (\`Accept: text/html\`)
is answered with a page. 409 if it was already resumed or its time limit has passed; 400 \`INVALID_STATUS\` if the run has ended.`,
    security: [],
    requestParams: { path },
    requestBody: { required: false, content: { "application/json": { schema: z.unknown(), example: body } } },
    responses: {
      200: {
        description: "The node was resumed",
        content: {
          "application/json": {
            schema: z.object({
              success: z.literal(true).describe("Whether the request succeeded"),
              data: resumeNode.answer.describe("The result"),
            }),
            example: { success: true, data: answer },
          },
          ...page,
        },
      },
      ...answersWith([400, 404, 409, 413, 500, 503]),
    },
  },
};

/** The API as an OpenAPI 3.1 document, made once from the schemas that validate requests and answers. */
export function openApiDocument(): JsonObject {
  return singleton("openapi-document", () => makeDocument(env().publicUrl, env().triggersUrl));
}

/** The same for a service at another origin, whose trigger URLs may have their own origin. */
export function makeDocument(publicUrl: string, triggersUrl = `${publicUrl}/api/v1`): JsonObject {
  const url = `${publicUrl}/api/v1`;
  const servers = triggersUrl === url ? {} : { servers: [{ url: triggersUrl }] };
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: "Millrace",
      version: "1.0.0",
      description: [
        "Make flows, run them, watch every run.",
        ...conventions.flatMap(({ title, paragraphs: words }) => [`## ${title}`, ...words]),
      ].join("\n\n"),
      contact: { name: "The operator of this service", url: publicUrl },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key, made under Settings or at `/api-keys`; the scopes that an operation needs stand beside it",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: `${publicUrl.startsWith("https:") ? "__Host-" : ""}next-auth.session-token`,
          description: "The session of a member who is signed in; behind TLS the cookie's name begins with `__Host-`",
        },
      },
    },
    paths: {
      ...contractPaths({ ...callTrigger, ...servers }),
      "/resume/{token}": { ...servers, ...resumeAddress },
      ...servicePaths(publicUrl),
    },
    webhooks: eventDeliveries,
  };
  const made = createDocument(document, { override: ({ jsonSchema }) => dropNoise(jsonSchema) });
  const named = nameBodies(JSON.parse(JSON.stringify(made)));
  return { ...named, tags: tagsOf(named).map((name) => ({ name, description: tagDescriptions[name] ?? name })) };
}

/** The tags of all operations, in order of appearance. */
function tagsOf({ paths, webhooks }: JsonObject): string[] {
  const items = [paths, webhooks].flatMap((all) => (isJsonObject(all ?? null) ? Object.values(all as JsonObject) : []));
  const all = items.flatMap((item) => (isJsonObject(item) ? Object.values(item) : []));
  return [
    ...new Set(
      all.flatMap((operation) =>
        isJsonObject(operation) && Array.isArray(operation.tags) ? operation.tags.map(String) : [],
      ),
    ),
  ];
}

interface GeneratedSchema {
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  labels?: unknown;
}

/**
 * Drops noise that zod adds: patterns that repeat `format`, and the bounds of exact integers. Also drops patterns with
 * `\p{…}`, which many generators compile without the flag `u`, and the editor's labels of choices, which are not a JSON
 * Schema keyword.
 */
function dropNoise(schema: GeneratedSchema): void {
  delete schema.labels;
  if (schema.format === "date-time" || /\\p\{/i.test(schema.pattern ?? "")) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function contractPaths(post: ZodOpenApiOperationObject): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries(operations)) {
    // Left out: only a provider's redirect opens it, and OpenAPI's linters require a success answer.
    if (endpoint.status === 303) continue;
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) };
  }
  // Subscriptions and trigger URLs share a path, which a document can have only once.
  const shared = "/webhooks/{id}";
  return { ...paths, [shared]: { ...paths[shared], post } };
}
