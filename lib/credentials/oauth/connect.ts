import { createHash, createHmac } from "node:crypto";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { hashOfToken, isPossibleToken, newOneTimeToken } from "#lib/auth/one-time-token.ts";
import { findCredential } from "#lib/credentials/credentials.ts";
import { type OpenCredential, openCredentials, UnreadableCredential } from "#lib/credentials/open-credentials.ts";
import { AppError } from "#lib/errors.ts";
import { iso } from "#lib/platform/clock.ts";
import { database, query, statementsOf } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { storeTokens } from "./connection.ts";
import { GrantRefused, ProviderUnavailable, requestTokens, type Tokens } from "./request-tokens.ts";

/** The result of a consent, for the credentials page. */
type Returned = "connected" | "denied" | "expired" | "changed" | "refused" | "failed";

export function callbackUrl(): string {
  return `${env().publicUrl}/api/v1/oauth/callback`;
}

/** Derived from our secret and not stored. Whoever sees the state cannot compute it. */
function verifierOf(state: string): string {
  return createHmac("sha256", env().authSecret).update(`oauth verifier ${state}`).digest("base64url");
}

// Starting again invalidates a person's earlier state.
const keepState = `
  INSERT INTO oauth_state (hash, credential_id, workspace_id, session_id, expires_at)
  VALUES ($1, $2, $3, $4, now() + interval '10 minutes')
  ON CONFLICT (session_id, credential_id) DO UPDATE SET hash = $1, expires_at = excluded.expires_at
  RETURNING expires_at`;

/**
 * The provider's consent URL. Throws NOT_FOUND, FORBIDDEN for a key, INVALID_STATUS if this kind of credential cannot
 * be connected.
 */
export async function connectCredential(actor: Actor, id: string): Promise<{ url: string; expiresAt: string }> {
  const { sessionId } = requireUser(actor);
  const found = await findCredential(actor, id);
  const { data } = await opened(actor, found.name);
  if (found.type !== "oauth2" || data.authorizationUrl === undefined || data.grant !== "authorization_code") {
    throw new AppError(
      "INVALID_STATUS",
      "Only an oauth2 credential with the grant authorization_code can be connected",
      {
        details: { currentStatus: found.type === "oauth2" ? String(data.grant) : found.type },
      },
    );
  }
  const state = newOneTimeToken();
  await query("expire-oauth-states", "DELETE FROM oauth_state WHERE expires_at < now()", []);
  const values = [hashOfToken(state), id, actor.workspaceId, sessionId];
  const [stored] = await query<{ expires_at: Date }>("keep-oauth-state", keepState, values);
  if (stored === undefined) throw new Error("the state was not stored");
  return { url: authorizationUrl(data, state), expiresAt: iso(stored.expires_at) };
}

function authorizationUrl(data: OpenCredential["data"], state: string): string {
  const url = new URL(data.authorizationUrl ?? "");
  const { clientId = "", scopes = "", audience = "" } = data;
  const parameters = {
    ...{
      response_type: "code",
      client_id: clientId,
      redirect_uri: callbackUrl(),
      scope: scopes.trim(),
      audience,
      state,
    },
    code_challenge: createHash("sha256").update(verifierOf(state)).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== "") url.searchParams.set(name, value);
  return url.href;
}

async function opened(actor: Actor, name: string): Promise<OpenCredential> {
  try {
    const [credential] = await openCredentials(actor.workspaceId, [name]);
    if (credential !== undefined) return credential;
  } catch (error) {
    if (!(error instanceof UnreadableCredential)) throw error;
    throw new AppError("INVALID_STATUS", error.message, { details: { currentStatus: "unreadable" }, cause: error });
  }
  throw new AppError("NOT_FOUND", "Credential not found");
}

/** The query of a provider's redirect. */
interface Callback {
  readonly state?: string | undefined;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
}

/**
 * Handles a provider's redirect: fetches and stores the tokens. Returns the path of our page that shows the result. The
 * state works once, and only in the session that started.
 */
export async function finishConnection(
  actor: Actor,
  outbound: Pick<Outbound, "send">,
  given: Callback,
): Promise<string> {
  const { sessionId } = requireUser(actor);
  const [begun] = isPossibleToken(given.state ?? "")
    ? await query<{ credential_id: string }>(
        "use-oauth-state",
        `DELETE FROM oauth_state WHERE hash = $1 AND session_id = $2 AND workspace_id = $3 AND expires_at > now()
         RETURNING credential_id`,
        [hashOfToken(given.state ?? ""), sessionId, actor.workspaceId],
      )
    : [];
  if (begun === undefined) return pageOf("expired");
  const { id, name } = await findCredential(actor, begun.credential_id);
  if (given.code === undefined) return pageOf(given.error === "access_denied" ? "denied" : "refused", name);
  const credential = await opened(actor, name);
  try {
    const tokens = await requestTokens(outbound, credential.data, {
      grant_type: "authorization_code",
      code: given.code,
      redirect_uri: callbackUrl(),
      code_verifier: verifierOf(given.state ?? ""),
    });
    return pageOf((await storeConnection(actor, credential, tokens)) ? "connected" : "changed", name);
  } catch (error) {
    if (!(error instanceof GrantRefused || error instanceof ProviderUnavailable)) throw error;
    const note = "UPDATE oauth_connection SET problem = $2 WHERE credential_id = $1 AND status <> 'connected'";
    await query("note-oauth-problem", note, [id, error.message]);
    return pageOf(error instanceof GrantRefused ? "refused" : "failed", name);
  }
}

/** False if the credential's data changed meanwhile: the grant belongs to another application. */
async function storeConnection(actor: Actor, credential: OpenCredential, tokens: Tokens): Promise<boolean> {
  const { id, name, workspaceId } = credential;
  return await database().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 AS locked FROM credential WHERE id = ${id} FOR UPDATE`;
    const [now] = await openCredentials(workspaceId, [name], tx);
    if (now?.id !== id || JSON.stringify(now.application) !== JSON.stringify(credential.application)) return false;
    if (!(await storeTokens(statementsOf(tx), credential, credential.data, tokens))) return false;
    await recordChange(tx, actor, { action: "credential.connected", id, name });
    return true;
  });
}

/** Contains nothing from the redirect, only a stored name. */
function pageOf(returned: Returned, name?: string): string {
  return `/credentials?${new URLSearchParams({ connection: returned, ...(name === undefined ? {} : { credential: name }) })}`;
}
