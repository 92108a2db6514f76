import { z } from "zod";
import { flowStatuses, isStorableText } from "#lib/engine/flow.ts";
import { connection } from "./credential-connections.ts";
import { type CredentialType, credentialData, credentialTypes } from "./credential-types.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { paging, searchText } from "./query.ts";
import { timestamp } from "./timestamp.ts";

const hostsMax = 100;
/** A host name, an IPv4 address or an IPv6 address in brackets; a leading `*.` means every name below. */
const host = /^(\*\.)?[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$|^\[[0-9a-f:.]+\]$/iu;

/** In the form of a URL's `hostname`, for comparison: international names in ASCII. */
function asInUrls(given: string): string {
  const wildcard = given.startsWith("*.") ? "*." : "";
  const address = `http://${given.slice(wildcard.length)}`;
  return URL.canParse(address) ? wildcard + new URL(address).hostname : given;
}

const credentialName = z
  .string("name must be text")
  .trim()
  .max(255, "name must have at most 255 characters")
  .refine(isStorableText, "name must not contain U+0000 or unpaired surrogates")
  .regex(
    /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u,
    "name must be a JavaScript identifier, as it is written in $credentials.<name>: letters, digits, $ and _, not starting with a digit",
  );

const allowedHosts = z
  .array(
    z
      .string("a host must be text")
      .trim()
      .toLowerCase()
      .max(255, "a host must have at most 255 characters")
      .regex(host, "a host must be a name such as api.example.com or *.example.com, without scheme, port and path")
      .transform(asInUrls),
    "allowedHosts must be an array of host names",
  )
  .max(hostsMax, `allowedHosts must have at most ${hostsMax} hosts`);

const newOfType = <const Type extends CredentialType>(type: Type) =>
  z.object({
    name: credentialName.describe("The name that flows use: a JavaScript identifier"),
    type: z.literal(type).describe("Its type, which decides its values"),
    data: credentialData[type].describe(
      "Its values, depending on the type: stored encrypted, never returned",
    ) as (typeof credentialData)[Type],
    allowedHosts: allowedHosts
      .optional()
      .describe("Host names that it may be sent to, such as `api.example.com` or `*.example.com`; any if omitted"),
  });

/** The message lists no types: some are named like the service's own database, which no answer reveals. */
const unknownType = "type must be one of the credential types, which the API reference lists";

export const newCredential = z.discriminatedUnion(
  "type",
  [
    newOfType("secret"),
    newOfType("bearer"),
    newOfType("basic"),
    newOfType("header"),
    newOfType("query"),
    newOfType("hmac"),
    newOfType("smtp"),
    newOfType("imap"),
    newOfType("postgres"),
    newOfType("mysql"),
    newOfType("mssql"),
    newOfType("sqlite"),
    newOfType("openai"),
    newOfType("anthropic"),
    newOfType("google-ai"),
    newOfType("oauth2"),
    newOfType("aws"),
    newOfType("custom"),
  ],
  unknownType,
);

export const credentialChanges = z.object({
  name: credentialName.optional().describe("The name that flows use: a JavaScript identifier"),
  type: z.enum(credentialTypes, unknownType).optional().describe("Its type, which decides its values"),
  /** Parsed by the schema of the credential's type, which is in its row. */
  data: z.unknown().optional().describe("Its values, depending on the type: stored encrypted, never returned"),
  allowedHosts: allowedHosts
    .nullish()
    .describe("Host names that it may be sent to, such as `api.example.com` or `*.example.com`; any if omitted"),
});

/** A credential as the API shows it: never with its data. */
export const credential = z
  .object({
    id: z.string().describe("Its id"),
    name: z.string().describe("Its name"),
    type: z.string().describe("Its type"),
    allowedHosts: z
      .array(z.string())
      .optional()
      .describe("Host names that it may be sent to, such as `api.example.com` or `*.example.com`; any if omitted"),
    connection: connection
      .optional()
      .describe("The connection of an `oauth2` credential to its provider; missing for other types"),
    createdAt: timestamp.describe("When it was created"),
    updatedAt: timestamp.describe("When it was last changed"),
  })
  .meta({ id: "Credential" });

const tag = "Credentials";

export const listCredentials = endpoint({
  method: "GET",
  path: "/credentials",
  tag,
  summary: "List credentials",
  description: "Newest first; their data is never returned.",
  scope: "credentials:read",
  query: z.object({
    ...paging,
    search: searchText("search").optional().describe("Part of the name, in any case"),
  }),
  shape: "list",
  answer: credential,
});

export const createCredential = endpoint({
  method: "POST",
  path: "/credentials",
  tag,
  summary: "Create a credential",
  description: `Flows use it by name: in \`$credentials.<name>\`, in the \`credential\` of a node, and in that of a trigger that authenticates its callers. \`data\` is stored encrypted and never returned. With \`allowedHosts\`
(\`api.example.com\`, \`*.example.com\`) it is sent to these hosts only.`,
  scope: "credentials:write",
  body: newCredential,
  bodyRequired: true,
  status: 201,
  answer: credential,
});

export const readCredential = endpoint({
  method: "GET",
  path: "/credentials/:id",
  tag,
  summary: "Read a credential",
  description: "Its name, type and times; its data is never returned.",
  scope: "credentials:read",
  params: idParams("credential"),
  answer: credential,
});

export const updateCredential = endpoint({
  method: "PATCH",
  path: "/credentials/:id",
  tag,
  summary: "Change a credential",
  description:
    "Only the fields sent change. `data` replaces everything that was stored, and is required when the type changes. `allowedHosts: null` removes the restriction.",
  scope: "credentials:write",
  params: idParams("credential"),
  body: credentialChanges,
  answer: credential,
});

export const deleteCredential = endpoint({
  method: "DELETE",
  path: "/credentials/:id",
  tag,
  summary: "Delete a credential",
  description: "Nodes that use it fail from then on; triggers that check it refuse every call.",
  scope: "credentials:write",
  params: idParams("credential"),
  shape: "empty",
});

/** What in a flow's current version uses a credential. */
const usesOfCredential = {
  byTrigger: z.boolean().describe("Whether the trigger authenticates its callers with it"),
  nodes: z
    .array(
      z.object({
        id: z.string().describe("Its id"),
        name: z.string().describe("The name that flows use: a JavaScript identifier"),
      }),
    )
    .describe("Its nodes"),
};

export const credentialUse = z.object({
  flowId: z.string().describe("The flow's id"),
  flowName: z.string().describe("The flow's name"),
  flowStatus: z.enum(flowStatuses).describe("The flow's status"),
  ...usesOfCredential,
  draft: z.object(usesOfCredential).optional().describe("How the flow's working copy uses it, if it does"),
});

export const listCredentialUses = endpoint({
  method: "GET",
  path: "/credentials/:id/uses",
  tag,
  summary: "List where a credential is used",
  description:
    "The flows whose current version or working copy uses it, by name, with the nodes that do. A node that computes the name at run time counts as using every credential. At most 200 flows.",
  scope: "credentials:read",
  params: idParams("credential"),
  answer: z.array(credentialUse),
});

export const testCredential = endpoint({
  method: "POST",
  path: "/credentials/:id/test",
  tag,
  summary: "Test a credential",
  description: `Tries the credential, within 10 seconds: it signs in to a mail server, or runs \`SELECT 1\` on a database. A credential for requests is sent to \`url\`, if given, with a GET: any status below 400 passes. That also requires the scope \`flows:execute\`, and respects \`allowedHosts\`. Without \`url\`, and for types that cannot be tested, it is only decrypted; for \`oauth2\`, a token is renewed or fetched if necessary. \`message\` says what was tried and the result, never a secret.`,
  scope: "credentials:write",
  params: idParams("credential"),
  body: z.object({
    url: z
      .string("url must be text")
      .max(2_048, "url must have at most 2048 characters")
      .refine(isStorableText, "url must not contain U+0000 or unpaired surrogates")
      .refine(
        (url) => /^https?:\/\//i.test(url) && URL.canParse(url),
        "url must be a URL that begins with https:// or http://",
      )
      .nullish()
      .describe("The URL to try a credential for requests on"),
  }),
  bodyRequired: false,
  answer: z.object({
    ok: z.boolean().describe("Whether the test passed"),
    message: z.string().describe("What was tried, and the result"),
  }),
});

export type NewCredential = z.output<typeof newCredential>;
export type CredentialChanges = z.output<typeof credentialChanges>;
