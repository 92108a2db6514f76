import { z } from "zod";
import { flowStatuses, isStorableText } from "#lib/engine/flow.ts";
import { type CredentialType, credentialData, credentialTypes, oauthGrants } from "./credential-types.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { paging } from "./query.ts";
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
    name: credentialName,
    type: z.literal(type),
    data: credentialData[type],
    allowedHosts: allowedHosts.optional(),
  });

/** Names no type: some are named like the service's own database, which no answer speaks of. */
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
    newOfType("postgres"),
    newOfType("mysql"),
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
  name: credentialName.optional(),
  type: z.enum(credentialTypes, unknownType).optional(),
  /** Parsed by the schema of the credential's type, which is in its row. */
  data: z.unknown().optional(),
  allowedHosts: allowedHosts.nullish(),
});

/** How an `oauth2` credential stands with its provider. */
export const connectionStatuses = ["not-connected", "connected", "needs-reconnect"] as const;

const connection = z.object({
  grant: z.enum(oauthGrants),
  status: z.enum(connectionStatuses),
  scopes: z.array(z.string()),
  endsAt: timestamp.nullable(),
  problem: z.string().nullable(),
});

/** A credential as the API shows it: never with its data. */
export const credential = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    /** Only if the credential is bound to hosts. */
    allowedHosts: z.array(z.string()).optional(),
    /** Of type `oauth2` only. */
    connection: connection.optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Credential" });

const tag = "Credentials";

export const listCredentials = endpoint({
  method: "GET",
  path: "/credentials",
  tag,
  summary: "List credentials",
  description: "The newest first; their data is never told.",
  scope: "credentials:read",
  query: z.object(paging),
  shape: "list",
  status: 200,
  answer: credential,
});

export const createCredential = endpoint({
  method: "POST",
  path: "/credentials",
  tag,
  summary: "Store a credential",
  description: `Flows use it by its name: in \`$credentials.<name>\`, in the \`credential\` of a node, and in that of a trigger
that authenticates its callers. \`data\` is stored encrypted and never told again. With \`allowedHosts\`
(\`api.example.com\`, \`*.example.com\`) it is sent to these hosts only.`,
  scope: "credentials:write",
  body: newCredential,
  bodyRequired: true,
  shape: "data",
  status: 201,
  answer: credential,
});

export const readCredential = endpoint({
  method: "GET",
  path: "/credentials/:id",
  tag,
  summary: "Read a credential",
  description: "Its name, type and times; its data is never told.",
  scope: "credentials:read",
  params: idParams,
  shape: "data",
  status: 200,
  answer: credential,
});

export const updateCredential = endpoint({
  method: "PATCH",
  path: "/credentials/:id",
  tag,
  summary: "Change a credential",
  description:
    "Only the fields sent change. `data` replaces all that was stored, and is required when the type changes. `allowedHosts: null` lifts the binding.",
  scope: "credentials:write",
  params: idParams,
  body: credentialChanges,
  shape: "data",
  status: 200,
  answer: credential,
});

export const deleteCredential = endpoint({
  method: "DELETE",
  path: "/credentials/:id",
  tag,
  summary: "Delete a credential",
  description: "Nodes that use it fail from then on; triggers that check it refuse every call.",
  scope: "credentials:write",
  params: idParams,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

/** What in a flow's current version uses a credential. */
const usesOfCredential = {
  /** The trigger authenticates its callers with it. */
  byTrigger: z.boolean(),
  nodes: z.array(z.object({ id: z.string(), name: z.string() })),
};

export const credentialUse = z.object({
  flowId: z.string(),
  flowName: z.string(),
  flowStatus: z.enum(flowStatuses),
  ...usesOfCredential,
  draft: z.object(usesOfCredential).optional().meta({ description: "How the flow's working copy uses it, if it does" }),
});

export const listCredentialUses = endpoint({
  method: "GET",
  path: "/credentials/:id/uses",
  tag,
  summary: "List where a credential is used",
  description:
    "The flows whose current version or working copy uses it, by name, with the nodes that do. A node that works out the name as it runs counts as using every credential. At most 200 flows.",
  scope: "credentials:read",
  params: idParams,
  shape: "data",
  status: 200,
  answer: z.array(credentialUse),
});

export const testCredential = endpoint({
  method: "POST",
  path: "/credentials/:id/test",
  tag,
  summary: "Test a credential",
  description: `Tries what the credential is for, within 10 seconds: a mail server is greeted and signed in to, a database runs
\`SELECT 1\`. A credential for requests is sent to \`url\` with a GET, where there is one: any status below 400 is well; that takes the scope
\`flows:execute\` too, and heeds \`allowedHosts\`. Without it, and for types that no service checks, it is only decrypted; of \`oauth2\`,
access is renewed or fetched where it has to be. \`message\` says what was tried and what came of it, never a secret.`,
  scope: "credentials:write",
  params: idParams,
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
      .meta({ description: "Where a credential for requests is tried" }),
  }),
  bodyRequired: false,
  shape: "data",
  status: 200,
  answer: z.object({
    ok: z.boolean().meta({ description: "Whether it did what was tried" }),
    message: z.string().meta({ description: "What was tried, and what came of it" }),
  }),
});

export const connectCredential = endpoint({
  method: "POST",
  path: "/credentials/:id/connect",
  tag,
  summary: "Connect a credential",
  description: `For \`oauth2\` credentials of the grant \`authorization_code\`: answers with the provider's address to send the person to.
The provider leads them back to \`/oauth/callback\`, in the same session, within ten minutes and once; then the credential is
connected. Connecting again replaces what was granted before.`,
  scope: "credentials:write",
  peopleOnly: true,
  params: idParams,
  shape: "data",
  status: 200,
  answer: z.object({ url: z.string(), expiresAt: timestamp }),
});

const returned = (what: string) => z.string(`${what} must be given once`).max(8_192, `${what} is too long`).optional();

export const oauthCallback = endpoint({
  method: "GET",
  path: "/oauth/callback",
  tag,
  summary: "Come back from a provider",
  description: `Where providers lead people back to: register \`\${PUBLIC_URL}/api/v1/oauth/callback\` with them. Whatever comes of it,
the answer is a redirect to the page of credentials.`,
  scope: "credentials:write",
  peopleOnly: true,
  query: z.object({ state: returned("state"), code: returned("code"), error: returned("error") }),
  shape: "empty",
  status: 303,
  answer: z.null(),
});

export type ConnectionStatus = (typeof connectionStatuses)[number];
export type NewCredential = z.output<typeof newCredential>;
export type CredentialChanges = z.output<typeof credentialChanges>;
