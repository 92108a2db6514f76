import { type OpenCredential, readTokens } from "#lib/credentials/open-credentials.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { sleep } from "#lib/platform/clock.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { newUuidText } from "#lib/platform/ids.ts";
import { logLine } from "#lib/platform/log.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { type StoredTokens, storeFailure, storeRefusal, storeTokens } from "./connection.ts";
import { GrantRefused, ProviderUnavailable, requestTokens, type Tokens, tokenTimeoutMs } from "./request-tokens.ts";

/** Longer than a request plus the attempts to store its answer. */
const leaseSeconds = 45;
/** How long to retry storing the answer, which may hold the only copy of a new refresh token. */
const storeMsMax = 25_000;
const waitMs = 200;
const waitMsMax = 60_000;

interface ConnectionRow extends Record<string, unknown> {
  readonly status: string;
  readonly ciphertext: Buffer<ArrayBuffer>;
  readonly key_version: number;
  readonly revision: number;
  readonly problem: string | null;
  readonly is_due: boolean;
  readonly has_ended: boolean;
  readonly is_resting: boolean;
  readonly is_leased: boolean;
}

const readConnection = `
  SELECT status, ciphertext, key_version, revision, problem, coalesce(renew_at <= now(), false) AS is_due,
    coalesce(ends_at <= now(), false) AS has_ended, coalesce(rest_until > now(), false) AS is_resting,
    coalesce(lease_until > now(), false) AS is_leased
  FROM oauth_connection WHERE credential_id = $1 AND workspace_id = $2`;

// Only if unchanged since it was read: a connection that another process refreshed in between is read again.
const claim = `
  UPDATE oauth_connection SET lease = $3, lease_until = now() + interval '${leaseSeconds} s'
  WHERE credential_id = $1 AND workspace_id = $2 AND revision = $4 AND (lease_until IS NULL OR lease_until <= now())
  RETURNING revision`;

/** Concurrent requests of this process for the same tokens share one. */
const inFlight = new Map<string, Promise<StoredTokens>>();

/**
 * The credential with a valid access token, fetched or refreshed if needed; one that is not `oauth2` is returned
 * unchanged. `refused`: an access token that an API answered with 401, which is refreshed if possible. Throws
 * NodeFailure: CREDENTIAL_EXPIRED if a person must connect it, CREDENTIAL_UNAVAILABLE if its provider gave no usable
 * answer. Aborting ends the wait, not the refresh: others may wait for it.
 */
export async function withAccess(
  credential: OpenCredential,
  outbound: Pick<Outbound, "send">,
  signal: AbortSignal,
  refused?: string,
): Promise<OpenCredential> {
  if (credential.type !== "oauth2") return credential;
  const key = refused === undefined ? credential.id : `${credential.id} ${refused}`;
  const tokens = inFlight.get(key) ?? currentTokens(credential, outbound, refused);
  if (!inFlight.has(key)) {
    inFlight.set(key, tokens);
    const forget = () => void inFlight.delete(key);
    tokens.then(forget, forget);
  }
  return { ...credential, data: { ...credential.data, ...(await orAborted(tokens, signal)) } };
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const disconnected = Promise.withResolvers<never>();
  const leave = () => disconnected.reject(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([promise, disconnected.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

async function currentTokens(
  credential: OpenCredential,
  outbound: Pick<Outbound, "send">,
  refused: string | undefined,
): Promise<StoredTokens> {
  const end = performance.now() + waitMsMax;
  while (performance.now() < end) {
    const [row] = await query<ConnectionRow>("look-at-connection", readConnection, [
      credential.id,
      credential.workspaceId,
    ]);
    if (row === undefined) throw expired(credential, "it was changed or deleted");
    const tokens = readTokens(credential, { ciphertext: row.ciphertext, keyVersion: row.key_version });
    const isUsable = row.status === "connected" && tokens.accessToken !== undefined;
    const isOwn = credential.data.grant === "client_credentials";
    const isRenewable = isOwn || tokens.refreshToken !== undefined;
    const isRefused = refused !== undefined && tokens.accessToken === refused && isRenewable && !row.is_resting;
    if (isUsable && !row.is_due && !isRefused) return tokens;
    if (!isOwn && row.status === "not-connected") throw expired(credential, "nobody has connected it yet");
    if (!isOwn && row.status === "needs-reconnect") throw expired(credential, row.problem ?? "its access has ended");
    // A token that has not expired can be used while its successor is fetched.
    const isLast = !isOwn && tokens.refreshToken === undefined;
    if (isUsable && !isRefused && !row.has_ended && (isLast || row.is_leased || row.is_resting)) return tokens;
    if (row.is_resting) throw failureOf(credential, row);
    if (!row.is_leased) {
      const renewed = await renew(credential, outbound, { before: tokens, revision: row.revision, isRefused });
      if (renewed !== null) return renewed;
    } else await sleep(waitMs);
  }
  throw new NodeFailure("CREDENTIAL_UNAVAILABLE", `${named(credential)}: renewing it takes too long`, { field });
}

/** Null if another process was faster. */
async function renew(
  credential: OpenCredential,
  outbound: Pick<Outbound, "send">,
  {
    before,
    revision,
    isRefused,
  }: { readonly before: StoredTokens; readonly revision: number; readonly isRefused: boolean },
): Promise<StoredTokens | null> {
  const lease = newUuidText();
  const claimed = await query("claim-renewal", claim, [credential.id, credential.workspaceId, lease, revision]);
  if (claimed.length === 0) return null;
  const claimedAt = performance.now();
  try {
    const given = await requestFromProvider(credential, outbound, before);
    const isStored = await storeInTime(credential, given, { before, lease, isRefused }, claimedAt);
    const { accessToken, refreshToken = before.refreshToken } = given;
    if (isStored) return { accessToken, ...(refreshToken === undefined ? {} : { refreshToken }) };
    logLine("warning", "A renewed token was not stored", { credentialId: credential.id });
    return null;
  } catch (error) {
    if (error instanceof GrantRefused) {
      await storeRefusal(credential, error.message, lease);
      throw expired(credential, error.message);
    }
    if (!(error instanceof ProviderUnavailable)) throw error;
    await storeFailure(credential, error.message, lease);
    // Until it expires, the old token is used.
    return null;
  }
}

async function requestFromProvider(
  { data }: OpenCredential,
  outbound: Pick<Outbound, "send">,
  { refreshToken }: StoredTokens,
): Promise<Tokens> {
  const audience = data.audience === undefined ? {} : { audience: data.audience };
  if (data.grant === "client_credentials") {
    const scope = data.scopes === undefined || data.scopes.trim() === "" ? {} : { scope: data.scopes };
    return await requestTokens(outbound, data, { grant_type: "client_credentials", ...scope, ...audience });
  }
  if (refreshToken === undefined) throw new GrantRefused("it has expired, and the provider issued no refresh token");
  return await requestTokens(outbound, data, { grant_type: "refresh_token", refresh_token: refreshToken });
}

async function storeInTime(
  credential: OpenCredential,
  given: Tokens,
  renewal: Parameters<typeof storeTokens>[4],
  claimedAt: number,
): Promise<boolean> {
  for (;;) {
    try {
      return await storeTokens(query, credential, credential.data, given, renewal);
    } catch (error) {
      const isLate = performance.now() - claimedAt > tokenTimeoutMs + storeMsMax;
      if (!isUnavailable(error) || isLate) throw error;
      await sleep(waitMs);
    }
  }
}

const field = "credential";
const named = ({ name }: OpenCredential) => `The credential "${name}"`;

function expired(credential: OpenCredential, reason: string): NodeFailure {
  const todo = credential.data.grant === "client_credentials" ? "check its data" : "connect it again";
  return new NodeFailure("CREDENTIAL_EXPIRED", `${named(credential)} has no access: ${reason}; ${todo}`, { field });
}

function failureOf(credential: OpenCredential, { status, problem }: ConnectionRow): NodeFailure {
  const reason = problem ?? "its provider did not answer";
  if (status === "needs-reconnect") return expired(credential, reason);
  return new NodeFailure("CREDENTIAL_UNAVAILABLE", `${named(credential)} could not be renewed: ${reason}`, { field });
}
