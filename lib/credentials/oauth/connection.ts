import type { ConnectionStatus } from "#lib/contract/credential-connections.ts";
import { iso } from "#lib/platform/clock.ts";
import { query, type RunStatement } from "#lib/platform/database.ts";
import type { Prisma } from "#lib/platform/prisma/client.ts";
import type { OAuthConnectionModel } from "#lib/platform/prisma/models.ts";
import { ownerOf, type Sealed, seal, unseal } from "#lib/platform/seal.ts";
import { type OAuthData, scopesOf, type Tokens } from "./request-tokens.ts";

/** The tokens of a connection; empty before it is connected. */
export interface StoredTokens {
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

/** Which credential, in which workspace. */
interface Place {
  readonly id: string;
  readonly workspaceId: string;
}

function sealTokens({ id, workspaceId }: Place, tokens: StoredTokens): Sealed {
  return seal(JSON.stringify(tokens), ownerOf(workspaceId, `${id}:tokens`));
}

/** Throws SealBroken. */
export function openTokens({ id, workspaceId }: Place, sealed: Sealed): StoredTokens {
  return JSON.parse(unseal(sealed, ownerOf(workspaceId, `${id}:tokens`))) as StoredTokens;
}

/** The row of a credential that is not connected yet. */
export function newConnection(place: Place, data: { readonly grant?: string }) {
  const empty = { scopes: [], endsAt: null, renewAt: null, problem: null, refusedAt: null, restUntil: null };
  return {
    ...{ ...empty, workspaceId: place.workspaceId, lease: null, leaseUntil: null },
    grantType: data.grant ?? "authorization_code",
    status: "not-connected" satisfies ConnectionStatus,
    ...sealTokens(place, {}),
  };
}

/**
 * Discards the grant, because the credential's data or type has changed. A refresh in progress then stores nothing, and
 * a pending connection is refused on return.
 */
export async function resetConnection(
  tx: Pick<Prisma.TransactionClient, "oAuthConnection" | "oAuthState">,
  place: Place,
  data: { readonly grant?: string } | null,
): Promise<void> {
  const { id } = place;
  await tx.oAuthState.deleteMany({ where: { credentialId: id } });
  await tx.oAuthConnection.deleteMany({ where: { credentialId: id } });
  if (data !== null) await tx.oAuthConnection.create({ data: { credentialId: id, ...newConnection(place, data) } });
}

type Shown = Pick<OAuthConnectionModel, "grantType" | "status" | "scopes" | "endsAt" | "problem">;

/** As the API shows it: never with a token. */
export function showConnection({ grantType, status, scopes, endsAt, problem }: Shown) {
  return {
    grant: grantType as "authorization_code" | "client_credentials",
    status: status as ConnectionStatus,
    scopes,
    endsAt: endsAt === null ? null : iso(endsAt),
    problem,
  };
}

/** Computes in the database when a token expires and when to refresh it. */
const store = `
  UPDATE oauth_connection SET status = 'connected', ciphertext = $3, key_version = $4, scopes = $5,
    ends_at = now() + $6::float8 * interval '1 s', renew_at = now() + $7::float8 * interval '1 s',
    problem = NULL, refused_at = NULL, rest_until = now() + $9::float8 * interval '1 s', lease = NULL, lease_until = NULL, revision = revision + 1
  WHERE credential_id = $1 AND workspace_id = $2 AND ($8::text IS NULL OR lease = $8)
  RETURNING revision`;

/** A token is refreshed this long before it expires, or when a fifth of its lifetime is left. */
const earlySecondsMax = 60;

/**
 * After a token was refreshed because an API refused it, its successor is not refreshed for this long, or for half of
 * its lifetime, so that an API that refuses every token causes few requests to the provider.
 */
const restSecondsMax = 60;

/**
 * Stores the provider's tokens; with a lease, only while it is held. Without a new refresh token, keeps the old one.
 * False if nothing was stored: the lease was lost, or the credential has changed.
 */
export async function storeTokens(
  run: RunStatement,
  place: Place,
  data: OAuthData,
  given: Tokens,
  {
    before = {},
    lease = null,
    isRefused = false,
  }: { before?: StoredTokens; lease?: string | null; isRefused?: boolean } = {},
): Promise<boolean> {
  const { accessToken, refreshToken = before.refreshToken, seconds, scopes = scopesOf(data.scopes ?? "") } = given;
  const { ciphertext, keyVersion } = sealTokens(place, {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
  });
  const early = seconds === undefined ? 0 : Math.min(earlySecondsMax, seconds / 5);
  const renewIn = seconds === undefined ? null : seconds - early;
  const values = [place.id, place.workspaceId, Buffer.from(ciphertext), keyVersion, scopes];
  const restSeconds = isRefused ? Math.min(restSecondsMax, (seconds ?? Number.POSITIVE_INFINITY) / 2) : null;
  const stored = await run("store-tokens", store, [...values, seconds ?? null, renewIn, lease, restSeconds]);
  return stored.length > 0;
}

const refuse = `
  UPDATE oauth_connection SET status = 'needs-reconnect', problem = $3, revision = revision + 1, lease = NULL,
    lease_until = NULL, rest_until = now() + interval '5 s',
    refused_at = CASE WHEN status = 'needs-reconnect' THEN refused_at ELSE now() END
  WHERE credential_id = $1 AND workspace_id = $2 AND lease = $4 RETURNING revision`;

/** Marks the connection as one that a person must reconnect. Only for the holder of the lease. */
export async function storeRefusal({ id, workspaceId }: Place, problem: string, lease: string): Promise<void> {
  await query("store-refusal", refuse, [id, workspaceId, problem, lease]);
}

const storeFailed = `
  UPDATE oauth_connection SET problem = $3, lease = NULL, lease_until = NULL, rest_until = now() + interval '5 s'
  WHERE credential_id = $1 AND workspace_id = $2 AND lease = $4 RETURNING revision`;

/** Releases the lease after a missing answer: no retry for a few seconds. */
export async function storeFailure({ id, workspaceId }: Place, problem: string, lease: string): Promise<void> {
  await query("store-token-failure", storeFailed, [id, workspaceId, problem, lease]);
}
