// Connecting to a provider as a browser does, and requests that carry its tokens.
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { application, oauthData, type Provider, startProvider } from "../support/oauth-provider.ts";
import { inOwnWorkspace } from "../support/own-workspace.ts";
import { type Browser, signedInAs, sql } from "../support/people.ts";
import { api, credential, run, unique } from "../support/secret-calls.ts";

// Other tests count the credentials of the workspace that they share.
inOwnWorkspace("Connections");

let provider: Provider;
beforeEach(async () => {
  provider = await startProvider();
});
afterEach(() => provider.close());

const request = (name: string) => [
  { id: "ask", type: "http-request", config: { url: `${provider.url}/me`, credential: name } },
];

/** Goes to the provider's page and gives where its link leads, without following it. */
async function visitProvider(url: string, choice: "Allow" | "Deny" = "Allow"): Promise<URL> {
  const page = await (await fetch(url)).text();
  const [, href = ""] = new RegExp(`href="([^"]+)">${choice}`).exec(page) ?? [];
  return new URL(href.replaceAll("&amp;", "&"));
}

async function connectUrl(browser: Browser, id: string): Promise<string> {
  const answer = await browser.api<{ url: string }>("POST", `/credentials/${id}/connect`);
  expect(answer.status).toBe(200);
  return answer.data.url;
}

/** Comes back to our own server, and gives where it leads. */
async function comeBack(browser: Browser, back: URL): Promise<string | null> {
  const answer = await browser.fetch(`${back.pathname}${back.search}`);
  expect(answer.status).toBe(303);
  expect(await answer.text()).toBe("");
  expect(answer.headers.get("referrer-policy")).toBe("same-origin");
  return answer.headers.get("location");
}

const stateOf = async (id: string) => (await api("GET", `/credentials/${id}`)).body.data.connection;

describe.skipIf(inject("server").dataDir === undefined)("a person connects a credential", () => {
  // Proves credentials.oauth
  test("goes to the provider, comes back, and requests carry the token, hidden everywhere", async () => {
    const browser = await signedInAs("editor");
    const { id, name } = await credential("oauth2", oauthData(provider));
    expect(await stateOf(id)).toEqual({
      ...{ grant: "authorization_code", status: "not-connected", scopes: [], endsAt: null, problem: null },
    });
    const unconnected = await run(request(name));
    expect(unconnected.execution.error).toMatchObject({ code: "CREDENTIAL_EXPIRED" });

    const url = new URL(await connectUrl(browser, id));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ prompt: "consent", client_id: application.clientId, scope: "read write", code_challenge_method: "S256" },
    });
    expect(url.searchParams.get("redirect_uri")).toMatch(/\/api\/v1\/oauth\/callback$/);
    const back = await visitProvider(url.href);
    expect(await comeBack(browser, back)).toBe(`/credentials?connection=connected&credential=${name}`);
    const connected = await stateOf(id);
    expect(connected).toMatchObject({ status: "connected", scopes: ["read", "write"], problem: null });
    expect(Date.parse(connected.endsAt) - Date.now()).toBeGreaterThan(3_000_000);

    const [token = ""] = provider.accessTokens;
    const { execution } = await run([
      ...request(name),
      { id: "say", type: "log", config: { message: "{{ $nodes.ask.output.body.echo }}" } },
    ]);
    expect(execution.status).toBe("completed");
    const failedNode = execution.nodes.find((node: { nodeId: string }) => node.nodeId === "ask");
    expect(failedNode.output.body).toMatchObject({ at: 0, echo: expect.stringContaining("•••") });
    const visible = JSON.stringify([
      execution,
      await api("GET", "/credentials?limit=100"),
      await api("GET", "/audit-log"),
    ]);
    for (const secret of [token, provider.refreshTokens[0] ?? "", application.clientSecret]) {
      expect(secret).not.toBe("");
      expect(visible).not.toContain(secret);
    }
    const stored = await sql("SELECT credential_id, ciphertext::text, scopes::text, problem FROM oauth_connection");
    expect(JSON.stringify(stored)).not.toContain(Buffer.from(token).toString("hex"));
    const log = await sql<{ action: string }>("SELECT action FROM audit_entry WHERE subject_id = $1 ORDER BY at", [id]);
    expect(log.map(({ action }) => action)).toEqual(["credential.created", "credential.connected"]);
  });

  // Proves credentials.oauth-state
  test("the way back works once, in the same session, and leads to our own page only", async () => {
    const [browser, other] = [await signedInAs("editor"), await signedInAs("editor")];
    const { id, name } = await credential("oauth2", oauthData(provider));
    const back = await visitProvider(await connectUrl(browser, id));
    const state = back.searchParams.get("state") ?? "";
    const states = await sql("SELECT hash FROM oauth_state WHERE credential_id = $1", [id]);
    expect(states).toHaveLength(1);
    expect(JSON.stringify(states)).not.toContain(state);

    const expired = "/credentials?connection=expired";
    expect(await comeBack(other, back)).toBe(expired);
    expect((await api("GET", `/oauth/callback${back.search}`)).status).toBe(403);
    expect(provider.requests).toEqual([]);
    expect(await comeBack(browser, back)).toBe(`/credentials?connection=connected&credential=${name}`);
    expect(await comeBack(browser, back)).toBe(expired);
    expect(provider.requests).toHaveLength(1);

    // A second start ends the first, and time ends any.
    const first = await visitProvider(await connectUrl(browser, id));
    const second = await visitProvider(await connectUrl(browser, id));
    expect(await comeBack(browser, first)).toBe(expired);
    await sql("UPDATE oauth_state SET expires_at = now() WHERE credential_id = $1", [id]);
    expect(await comeBack(browser, second)).toBe(expired);
    for (const query of ["", "?state=", "?state=%00", `?state=${"x".repeat(43)}&next=https://evil.example`]) {
      expect(await comeBack(browser, new URL(`http://x/api/v1/oauth/callback${query}`))).toBe(expired);
    }
    const answer = await browser.fetch(`/api/v1/oauth/callback?state=${"x".repeat(9_000)}`);
    expect(answer.status).toBe(400);
  });

  test("no, nonsense and a code of somebody else's connect nothing", async () => {
    const browser = await signedInAs("editor");
    const { id, name } = await credential("oauth2", oauthData(provider));
    const page = (result: string) => `/credentials?connection=${result}&credential=${name}`;
    const denied = await visitProvider(await connectUrl(browser, id), "Deny");
    denied.searchParams.set("error_description", "<script>");
    expect(await comeBack(browser, denied)).toBe(page("denied"));
    provider.next.push("garbage");
    expect(await comeBack(browser, await visitProvider(await connectUrl(browser, id)))).toBe(page("failed"));

    // A code that was fetched for another way does not fit this one's verifier.
    const stolen = (await visitProvider(await connectUrl(browser, id))).searchParams.get("code") ?? "";
    const mine = await visitProvider(await connectUrl(browser, id));
    mine.searchParams.set("code", stolen);
    expect(await comeBack(browser, mine)).toBe(page("refused"));
    expect(await stateOf(id)).toMatchObject({
      ...{ status: "not-connected", problem: "the provider refused: invalid_grant" },
    });

    const late = await visitProvider(await connectUrl(browser, id));
    await api("PATCH", `/credentials/${id}`, { body: { data: oauthData(provider, { scopes: "other" }) } });
    expect(await comeBack(browser, late)).toBe("/credentials?connection=expired");
  });

  test("is for people who may change credentials, and for credentials that can be connected", async () => {
    const { id } = await credential("oauth2", oauthData(provider));
    const viewer = await signedInAs("viewer");
    expect((await viewer.api("POST", `/credentials/${id}/connect`)).error.details).toEqual({
      required: "credentials:write",
    });
    expect((await api("POST", `/credentials/${id}/connect`)).body.error.details).toEqual({ required: "session" });
    const browser = await signedInAs("editor");
    for (const other of [
      await credential("oauth2", oauthData(provider, { grant: "client_credentials" })),
      await credential("bearer", { token: "some-token" }),
    ]) {
      expect((await browser.api("POST", `/credentials/${other.id}/connect`)).error.code).toBe("INVALID_STATUS");
    }
  });
});

describe.skipIf(inject("server").dataDir === undefined)("what a provider gave ends", () => {
  // Proves credentials.oauth-renewed
  test("it is renewed before it ends; refused, it is marked, alerted about, and fails nodes", async () => {
    const browser = await signedInAs("editor");
    const rule = await api("POST", "/alert-rules", { body: { name: unique("watch"), kind: "credential" } });
    expect(rule.status).toBe(201);
    const { id, name } = await credential("oauth2", oauthData(provider));
    provider.seconds = 0;
    await comeBack(browser, await visitProvider(await connectUrl(browser, id)));
    provider.seconds = 3_600;
    const renewed = await run(request(name));
    expect(renewed.execution.nodes[0].output.body.at).toBe(1);
    expect(provider.requests.map((form) => form.get("grant_type"))).toEqual(["authorization_code", "refresh_token"]);

    await sql("UPDATE oauth_connection SET renew_at = now(), ends_at = now() WHERE credential_id = $1", [id]);
    provider.next.push("refuse");
    const refused = await run(request(name));
    expect(refused.execution.error).toMatchObject({ code: "CREDENTIAL_EXPIRED", nodeId: "ask" });
    expect(await stateOf(id)).toMatchObject({ status: "needs-reconnect" });
    await expect
      .poll(async () => JSON.stringify((await api("GET", "/alerts")).body.data), { timeout: 40_000 })
      .toContain(`The credential ${name} needs to be connected again: the provider refused: invalid_grant`);

    await comeBack(browser, await visitProvider(await connectUrl(browser, id)));
    expect((await run(request(name))).execution.status).toBe("completed");
    await api("DELETE", `/alert-rules/${rule.body.data.id}`);
  });

  // Proves credentials.oauth-refused
  test("a token refused between two calls is renewed, and the second call sent again, once", async () => {
    const { name } = await credential("oauth2", oauthData(provider, { grant: "client_credentials" }));
    const ask = { type: "http-request", config: { url: `${provider.url}/me`, credential: name } };
    const { execution } = await run([
      { id: "one", ...ask },
      { id: "revoke", type: "http-request", config: { url: `${provider.url}/revoke-all` } },
      { id: "two", ...ask },
      { id: "three", ...ask },
    ]);
    const at = (id: string) => execution.nodes.find((node: { nodeId: string }) => node.nodeId === id).output.body.at;
    expect([at("one"), at("two"), at("three")]).toEqual([0, 1, 1]);
    expect(provider.requests).toHaveLength(2);

    // The new one as well: it was just renewed.
    provider.revoked.add(provider.accessTokens[1] ?? "");
    const refused = await run([{ id: "ask", ...ask }]);
    expect(refused.execution.error).toMatchObject({
      code: "HTTP_STATUS",
      message: expect.stringContaining(`The access token of "${name}" is not accepted`),
    });
    expect(provider.requests).toHaveLength(2);
  });

  test("no expression reads an OAuth2 credential, and its allowed hosts apply like those of any other", async () => {
    const { name } = await credential("oauth2", oauthData(provider, { grant: "client_credentials" }));
    const read = await run([
      { id: "say", type: "log", config: { message: `{{ $credentials.${name}.clientSecret }}` } },
    ]);
    expect(read.execution.error).toMatchObject({ code: "CREDENTIAL_TYPE" });
    const overrides = { allowedHosts: ["api.example.com"] };
    const bound = await credential("oauth2", oauthData(provider, { grant: "client_credentials" }), overrides);
    expect((await run(request(bound.name))).execution.error).toMatchObject({ code: "CREDENTIAL_HOST" });
  });

  test.each([
    [{ tokenUrl: "javascript:alert(1)" }, "data.tokenUrl"],
    [{ authorizationUrl: "https://user:pass@example.com/" }, "data.authorizationUrl"],
    [{ authorizationUrl: undefined }, "data.authorizationUrl"],
    [{ grant: "password" }, "data.grant"],
    [{ grant: "client_credentials", clientSecret: undefined }, "data.clientSecret"],
    [{ scopes: "bücher" }, "data.scopes"],
    [{ clientId: "" }, "data.clientId"],
  ])("data is refused with the field: %j", async (wrong, path) => {
    const body = { name: unique("wrong"), type: "oauth2", data: oauthData(provider, wrong) };
    const answer = await api("POST", "/credentials", { body });
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, [path]]);
  });

  test("a provider inside our own network is not reached", async () => {
    const data = oauthData(provider, { grant: "client_credentials", tokenUrl: "http://10.0.0.1/token" });
    const { name } = await credential("oauth2", data);
    expect((await run(request(name))).execution.error).toMatchObject({ code: "CREDENTIAL_UNAVAILABLE" });
  });
});

afterAll(() => sql("DELETE FROM oauth_state"));
