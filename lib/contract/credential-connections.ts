import { z } from "zod";
import { oauthGrants } from "./credential-types.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { timestamp } from "./timestamp.ts";

/** The connection of an `oauth2` credential to its provider. */
export const connectionStatuses = ["not-connected", "connected", "needs-reconnect"] as const;

export const connection = z.object({
  grant: z
    .enum(oauthGrants)
    .describe("Who consents: a person (`authorization_code`), or the application itself (`client_credentials`)"),
  status: z.enum(connectionStatuses).describe("`needs-reconnect` if the provider refused what it had granted"),
  scopes: z.array(z.string()).describe("What the provider granted"),
  endsAt: timestamp
    .nullable()
    .describe("When the access token expires; it is renewed automatically. Null if the provider does not say"),
  problem: z
    .string()
    .nullable()
    .describe("What went wrong in the last attempt to fetch or renew a token; null if nothing did"),
});

const tag = "Credentials";

export const connectCredential = endpoint({
  method: "POST",
  path: "/credentials/:id/connect",
  tag,
  summary: "Connect a credential",
  description: `For \`oauth2\` credentials of the grant \`authorization_code\`: returns the provider's URL to send the person to. The provider redirects them to \`/oauth/callback\`, in the same session, within ten minutes and once; then the credential is connected. Connecting again replaces the previous grant.`,
  scope: "credentials:write",
  peopleOnly: true,
  params: idParams("credential"),
  answer: z.object({
    url: z.string().describe("The provider's page to send the person to"),
    expiresAt: timestamp.describe("By when they must return"),
  }),
});

const returned = (label: string) =>
  z.string(`${label} must be given once`).max(8_192, `${label} is too long`).optional();

export const oauthCallback = endpoint({
  method: "GET",
  path: "/oauth/callback",
  tag,
  summary: "Return from a provider",
  description: `The redirect URL for providers: register \`\${PUBLIC_URL}/api/v1/oauth/callback\` with them. The answer is always a redirect to the credentials page.`,
  scope: "credentials:write",
  peopleOnly: true,
  query: z.object({
    state: returned("state").describe("The state that was sent to the provider"),
    code: returned("code").describe("The code to exchange for tokens"),
    error: returned("error").describe("Why the provider refused"),
  }),
  shape: "empty",
  status: 303,
});

export type ConnectionStatus = (typeof connectionStatuses)[number];
