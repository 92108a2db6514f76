import { z } from "zod";
import { scopes } from "#lib/access.ts";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { paging, time } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowName } from "#lib/engine/flow.ts";

const graceSecondsMax = 30 * 24 * 3_600;

const scopeList = z
  .array(z.enum(scopes, `a scope must be one of ${scopes.join(", ")}`), "scopes must be an array of scopes")
  .min(1, "scopes must name at least one")
  .max(100, "scopes must name at most 100")
  .transform((given) => scopes.filter((scope) => given.includes(scope)));

const newApiKey = z.object({
  name: flowName.describe("Its name"),
  scopes: scopeList.optional().describe("What it may do; all scopes by default"),
  expiresAt: time("expiresAt", "end").nullish().describe("When it expires; null for never"),
});

export const apiKey = z
  .object({
    id: z.string().describe("Its id"),
    name: z.string().describe("Its name"),
    prefix: z.string().describe("The start of the key"),
    scopes: z.array(z.string()).describe("What it may do; all scopes by default"),
    expiresAt: timestamp.nullable().describe("When it expires; null for never"),
    lastUsedAt: timestamp.nullable().describe("When it was last used; null for never"),
    createdAt: timestamp.describe("When it was created"),
  })
  .meta({ id: "ApiKey" });

/** The key itself: shown once. */
export const apiKeyWithSecret = apiKey.extend({ key: z.string().describe("The key itself, shown only once") });

const tag = "API keys";
const scope = "keys:write";

export const listApiKeys = endpoint({
  method: "GET",
  path: "/api-keys",
  tag,
  summary: "List API keys",
  description: "Newest first, without the keys themselves; revoked keys are not listed.",
  scope,
  query: z.object(paging),
  shape: "list",
  answer: apiKey,
});

export const createApiKey = endpoint({
  method: "POST",
  path: "/api-keys",
  tag,
  summary: "Create an API key",
  description:
    "The answer contains the `key`, shown only once. It has all scopes by default; you cannot grant scopes that you lack.",
  scope,
  body: newApiKey,
  bodyRequired: true,
  status: 201,
  answer: apiKeyWithSecret,
});

export const rotateApiKey = endpoint({
  method: "POST",
  path: "/api-keys/:id/rotate",
  tag,
  summary: "Rotate an API key",
  description:
    "Gives the key a new secret, shown only once. The old one works for `graceSeconds` more; one that was replaced earlier stops at once.",
  scope,
  params: idParams("API key"),
  body: z.object({
    graceSeconds: z
      .int("graceSeconds must be a whole number")
      .min(0, "graceSeconds must be 0 or more")
      .max(graceSecondsMax, `graceSeconds must be at most ${graceSecondsMax}`)
      .optional()
      .default(0)
      .describe("Seconds for which the old key keeps working"),
  }),
  answer: apiKeyWithSecret,
});

export const revokeApiKey = endpoint({
  method: "DELETE",
  path: "/api-keys/:id",
  tag,
  summary: "Revoke an API key",
  description: "It is refused from the next request on, and so is a rotated key's old secret.",
  scope,
  params: idParams("API key"),
  shape: "empty",
});

export type NewApiKey = z.output<typeof newApiKey>;
