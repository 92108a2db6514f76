import { z } from "zod";
import { secretCharactersMin } from "#lib/contract/credential-types.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { isOutboundError } from "#lib/platform/outbound/outbound-error.ts";

/** The stored fields of an `oauth2` credential. */
export type OAuthData = Readonly<Record<string, string>>;

/** A provider's tokens. */
export interface Tokens {
  readonly accessToken: string;
  /** Undefined if this answer has none. */
  readonly refreshToken?: string;
  /** Undefined if the provider does not say when the access token expires. */
  readonly seconds?: number;
  /** Undefined if the provider does not say: the requested scopes then apply. */
  readonly scopes?: readonly string[];
}

/** The provider refused permanently. */
export class GrantRefused extends Error {
  override readonly name = "GrantRefused";
}

/** There was no usable answer; a later request may get one. The message contains nothing from the answer. */
export class ProviderUnavailable extends Error {
  override readonly name = "ProviderUnavailable";
}

export const tokenTimeoutMs = 10_000;
const answerBytesMax = 65_536;
const secondsMax = 10 * 365 * 86_400;
const scopesMax = 100;
/** Transient refusals. */
const passing = new Set(["temporarily_unavailable", "server_error", "slow_down"]);

const token = z
  .string()
  .min(secretCharactersMin)
  .max(16_384)
  .regex(/^[\x20-\x7e]+$/);

const given = z.object({
  access_token: token,
  refresh_token: token.optional().catch(undefined),
  expires_in: z.coerce.number().int().min(0).max(secondsMax).optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
});

const refusal = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) });

/**
 * Requests tokens from the credential's provider, with these parameters of a grant. Never aborted: the answer may hold
 * the only copy of a new refresh token. Throws GrantRefused, ProviderUnavailable.
 */
export async function requestTokens(
  outbound: Pick<Outbound, "send">,
  data: OAuthData,
  parameters: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const { status, body } = await send(outbound, data, parameters);
  const answer = parsed(body);
  const refused = refusal.safeParse(answer);
  if (refused.success && status < 500 && status !== 429 && !passing.has(refused.data.error)) {
    throw new GrantRefused(`the provider refused: ${refused.data.error}`);
  }
  if (status !== 200 && status !== 201) throw new ProviderUnavailable(`the provider answered ${status}`);
  const tokens = given.safeParse(answer);
  if (!tokens.success) throw new ProviderUnavailable("the provider's answer has no access token");
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = tokens.data;
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
  };
}

/** A list of scopes: most providers separate them by spaces, some by commas. */
export function scopesOf(text: string): string[] {
  const all = text.split(/[\s,]+/).filter((scope) => /^[\x21-\x7e]{1,200}$/.test(scope));
  return [...new Set(all)].slice(0, scopesMax);
}

async function send(outbound: Pick<Outbound, "send">, data: OAuthData, parameters: Readonly<Record<string, string>>) {
  const { tokenUrl = "", clientId = "", clientSecret, authentication } = data;
  const isBasic = authentication === "basic" && clientSecret !== undefined;
  const body = new URLSearchParams(parameters);
  if (!isBasic) body.set("client_id", clientId);
  if (!isBasic && clientSecret !== undefined) body.set("client_secret", clientSecret);
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  const pair = Buffer.from(`${encoded(clientId)}:${encoded(clientSecret ?? "")}`).toString("base64");
  try {
    return await outbound.send({
      method: "POST",
      url: tokenUrl,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        "content-type": "application/x-www-form-urlencoded",
        ...(isBasic ? { authorization: `Basic ${pair}` } : {}),
      },
      body: body.toString(),
      timeoutMs: tokenTimeoutMs,
      followRedirects: false,
      bodyBytesRead: answerBytesMax,
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (!isOutboundError(error)) throw error;
    throw new ProviderUnavailable(error.message, { cause: error });
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
