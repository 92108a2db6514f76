// Fetching and renewing against a provider, with a database of its own. Two servers: e2e/api/oauth.test.ts.
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { oauthData, type Provider, startProvider } from "#e2e/support/oauth-provider.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createCredential, readCredential, updateCredential } from "#lib/credentials/credentials.ts";
import { openCredentials } from "#lib/credentials/open-credentials.ts";
import { database, query } from "#lib/platform/database.ts";
import { createOutbound } from "#lib/platform/outbound/outbound.ts";
import { storeTokens } from "./connection.ts";
import { withAccess } from "./use-connection.ts";

const outbound = createOutbound({ allow: "127.0.0.1" });
const never = new AbortController().signal;

let provider: Provider;
let actor: Actor;
inOwnDatabase();
afterAll(() => outbound.close());
beforeEach(async () => {
  [provider, actor] = await Promise.all([startProvider(), newActor()]);
});
afterEach(() => provider.close());

async function make(extraData: object = {}): Promise<string> {
  const data = { ...oauthData(provider, extraData) } as never;
  return (await createCredential(actor, { name: "google", type: "oauth2", data })).id;
}

async function open() {
  const [credential] = await openCredentials(actor.workspaceId, ["google"]);
  if (credential === undefined) throw new Error("there is no credential");
  return credential;
}

const use = async (signal = never) => (await withAccess(await open(), outbound, signal)).data;

/** As if a person had consented. `seconds`: the token's lifetime. */
async function connect(seconds: number) {
  const [refreshToken, accessToken] = ["refresh-first", "access-first"];
  provider.refreshTokens.push(refreshToken);
  const credential = await open();
  await storeTokens(query, credential, credential.data, { accessToken, refreshToken, seconds });
}

const shown = async (id: string) => (await readCredential(actor, id)).connection;
const endRest = () => database().$executeRaw`UPDATE oauth_connection SET rest_until = NULL, lease_until = NULL`;

test("the application's own token is fetched on first use, and used until it is due", async () => {
  const id = await make({ grant: "client_credentials", audience: "api" });
  expect(await shown(id)).toEqual({
    ...{ grant: "client_credentials", status: "not-connected", scopes: [], endsAt: null, problem: null },
  });
  const all = await Promise.all(Array.from({ length: 20 }, () => use()));
  expect(new Set(all.map(({ accessToken }) => accessToken))).toEqual(new Set([provider.accessTokens[0]]));
  // All of it is masked as text.
  for (const value of Object.values(all[0] ?? {})) expect(value).toBeTypeOf("string");
  await use();
  expect(provider.requests).toHaveLength(1);
  expect(Object.fromEntries(provider.requests[0] ?? [])).toMatchObject({ audience: "api", scope: "read write" });
  expect(await shown(id)).toMatchObject({ status: "connected", scopes: ["read", "write"], problem: null });
});

test("the secret may be shown in a header, with any characters", async () => {
  await make({ grant: "client_credentials", authentication: "basic" });
  expect((await use()).accessToken).toBe(provider.accessTokens[0]);
});

test("a due token is refreshed once, and the rotated refresh token is kept", async () => {
  await make();
  await connect(0);
  const all = await Promise.all(Array.from({ length: 10 }, () => use()));
  expect(new Set(all.map(({ accessToken }) => accessToken))).toEqual(new Set([provider.accessTokens[0]]));
  expect(provider.requests.map((form) => form.get("refresh_token"))).toEqual(["refresh-first"]);
  expect((await open()).data.refreshToken).toBe(provider.refreshTokens.at(-1));
});

test("a refresh token that does not rotate is kept", async () => {
  await make();
  provider.rotates = false;
  provider.seconds = 0;
  await connect(0);
  await use();
  await use();
  expect(provider.requests.map((form) => form.get("refresh_token"))).toEqual(["refresh-first", "refresh-first"]);
});

test("a refused refresh needs a person, and is not retried", async () => {
  const id = await make();
  await connect(0);
  provider.next.push("refuse");
  await expect(use()).rejects.toMatchObject({ code: "CREDENTIAL_EXPIRED" });
  await endRest();
  await expect(use()).rejects.toThrow('The credential "google" has no access: the provider refused: invalid_grant');
  expect(provider.requests).toHaveLength(1);
  expect(await shown(id)).toMatchObject({ status: "needs-reconnect", problem: "the provider refused: invalid_grant" });
});

test("without a refresh token, the access token is used until it expires", async () => {
  await make();
  const credential = await open();
  await storeTokens(query, credential, credential.data, { accessToken: "access-only", seconds: 60 });
  await database().$executeRaw`UPDATE oauth_connection SET renew_at = now()`;
  expect((await use()).accessToken).toBe("access-only");
  await database().$executeRaw`UPDATE oauth_connection SET ends_at = now()`;
  await expect(use()).rejects.toThrow("it has expired, and the provider issued no refresh token; connect it again");
  expect(provider.requests).toEqual([]);
});

test.each(["garbage", "huge", "error"] as const)("an answer without a token (%s) marks nothing", async (answer) => {
  const id = await make();
  await connect(0);
  provider.next.push(answer);
  await expect(use()).rejects.toMatchObject({ code: "CREDENTIAL_UNAVAILABLE" });
  await expect(use()).rejects.toMatchObject({ code: "CREDENTIAL_UNAVAILABLE" });
  // No retry for some seconds.
  expect(provider.requests).toHaveLength(1);
  expect(await shown(id)).toMatchObject({ status: "connected" });
  await endRest();
  expect((await use()).accessToken).toBe(provider.accessTokens[0]);
});

test("a token that is due but has not expired is used while the provider fails", async () => {
  await make();
  await connect(60);
  await database().$executeRaw`UPDATE oauth_connection SET renew_at = now()`;
  provider.next.push("error");
  expect((await use()).accessToken).toBe("access-first");
});

describe("a token that an API refuses before it expires", () => {
  const other = async (refused: string | undefined) => (await withAccess(await open(), outbound, never, refused)).data;

  test("is refreshed once for many callers, and its successor is not refreshed at once", async () => {
    const id = await make();
    await connect(3_600);
    const all = await Promise.all(Array.from({ length: 10 }, () => other("access-first")));
    const [token = ""] = provider.accessTokens;
    expect(new Set(all.map(({ accessToken }) => accessToken))).toEqual(new Set([token]));
    expect((await other("access-first")).accessToken).toBe(token);
    expect((await other(token)).accessToken).toBe(token);
    expect(provider.requests).toHaveLength(1);
    expect(await shown(id)).toMatchObject({ status: "connected", problem: null });
    await endRest();
    expect((await other(token)).accessToken).toBe(provider.accessTokens[1]);
  });

  test("is kept if there is no refresh token", async () => {
    const id = await make();
    const credential = await open();
    await storeTokens(query, credential, credential.data, { accessToken: "access-only", seconds: 3_600 });
    expect((await other("access-only")).accessToken).toBe("access-only");
    expect([provider.requests, await shown(id)]).toMatchObject([[], { status: "connected" }]);
  });

  test("needs a person once the provider refuses to refresh it", async () => {
    const id = await make();
    await connect(3_600);
    provider.next.push("refuse");
    await expect(other("access-first")).rejects.toMatchObject({ code: "CREDENTIAL_EXPIRED" });
    expect(await shown(id)).toMatchObject({ status: "needs-reconnect" });
  });

  test("is kept while its provider does not answer", async () => {
    await make();
    await connect(3_600);
    provider.next.push("error");
    expect((await other("access-first")).accessToken).toBe("access-first");
    expect((await other("access-first")).accessToken).toBe("access-first");
    expect(provider.requests).toHaveLength(1);
  });
});

test("a caller that stops waiting does not stop the refresh", async () => {
  await make();
  await connect(0);
  provider.next.push("hold");
  const leaving = new AbortController();
  const left = use(leaving.signal);
  await expect.poll(() => provider.requests.length).toBe(1);
  leaving.abort(new Error("the run was cancelled"));
  await expect(left).rejects.toThrow("the run was cancelled");
  provider.release();
  expect((await use()).accessToken).toBe(provider.accessTokens[0]);
  expect(provider.requests).toHaveLength(1);
});

test("a rotated token that is lost in a kill before it was stored is reported", async () => {
  const id = await make();
  await connect(0);
  // A killed process leaves its lease, and a used refresh token.
  await database().$executeRaw`UPDATE oauth_connection SET lease = 'killed', lease_until = now() + interval '1 s'`;
  const spend = new URLSearchParams({ ...oauthForm(), refresh_token: "refresh-first" });
  await fetch(`${provider.url}/token`, { method: "POST", body: spend });
  await expect(use()).rejects.toMatchObject({ code: "CREDENTIAL_EXPIRED" });
  expect(await shown(id)).toMatchObject({ status: "needs-reconnect" });
});

test("new data discards the grant, and a refresh in progress stores nothing", async () => {
  const id = await make();
  await connect(0);
  provider.next.push("hold");
  const waiting = use();
  await expect.poll(() => provider.requests.length).toBe(1);
  await updateCredential(actor, id, { data: { ...oauthData(provider), scopes: "admin" } });
  provider.release();
  await expect(waiting).rejects.toThrow("nobody has connected it yet");
  expect(await shown(id)).toMatchObject({ status: "not-connected", scopes: [] });
  expect(await updateCredential(actor, id, { type: "bearer", data: { token: "some-token" } })).not.toHaveProperty(
    "connection",
  );
});

test("the tokens are sealed", async () => {
  await make({ grant: "client_credentials" });
  await use();
  const [row] = await database().oAuthConnection.findMany({ where: { workspaceId: actor.workspaceId } });
  expect(Buffer.from(row?.ciphertext ?? []).toString("latin1")).not.toContain("access");
});

function oauthForm() {
  const { clientId, clientSecret } = oauthData(provider);
  return { grant_type: "refresh_token", client_id: clientId ?? "", client_secret: clientSecret ?? "" };
}
