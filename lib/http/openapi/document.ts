import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { operations } from "#lib/contract/all.ts";
import { conventions } from "#lib/contract/conventions.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { env } from "#lib/platform/env.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { describeFields } from "./describe-fields.ts";
import { eventDeliveries } from "./event-deliveries.ts";
import { nameBodies } from "./name-bodies.ts";
import { operationOf } from "./operation.ts";
import { resumeAddress } from "./resume-address.ts";
import { servicePaths } from "./service-paths.ts";
import { callTrigger } from "./trigger-url.ts";

/** The API as an OpenAPI 3.1 document, made once from the schemas that validate requests and answers. */
export function openApiDocument(): JsonObject {
  return singleton("openapi-document", () => makeDocument(env().publicUrl));
}

/** The same for a service at another origin. */
export function makeDocument(publicUrl: string): JsonObject {
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: "Millrace",
      version: "1.0.0",
      description: [
        "Make flows, run them, watch every run.",
        ...conventions.flatMap(({ title, words }) => [`## ${title}`, ...words]),
      ].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
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
    paths: { ...contractPaths(), "/resume/{token}": resumeAddress, ...servicePaths(publicUrl) },
    webhooks: eventDeliveries,
  };
  const made = createDocument(document, { override: ({ jsonSchema }) => dropNoise(jsonSchema) });
  return nameBodies(describeFields(JSON.parse(JSON.stringify(made))));
}

/**
 * What zod adds and nobody wants to read: a pattern that says what `format` does, and the bounds of exact integers. And
 * patterns with `\p{…}`, which mean something else to the many generators that compile them without the flag `u`.
 */
function dropNoise(schema: { format?: string; pattern?: string; minimum?: number; maximum?: number }): void {
  if (schema.format === "date-time" || /\\p\{/i.test(schema.pattern ?? "")) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function contractPaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries(operations)) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) };
  }
  // Subscriptions and trigger URLs share a path, which a document can name only once.
  const shared = "/webhooks/{id}";
  return { ...paths, [shared]: { ...paths[shared], post: callTrigger } };
}
