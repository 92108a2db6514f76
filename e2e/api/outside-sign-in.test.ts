// Signing in through GitHub, with our own provider in its place: from our page to theirs, back with a code, and in.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeGithub, fakeGithub, type GithubUser } from "../support/fake-github.ts";
import { Browser } from "../support/people.ts";
import { api } from "../support/secret-calls.ts";
import { type RunningServer, startServer } from "../support/server.ts";

const client = { id: "millrace", secret: "the-client-secret-of-millrace" };
let github: FakeGithub;
let server: RunningServer;
let own: { base: string; key: string };
let nextId = 1;

beforeAll(async () => {
  github = await fakeGithub(client);
  server = await startServer({
    env: {
      GITHUB_CLIENT_ID: client.id,
      GITHUB_CLIENT_SECRET: client.secret,
      FAKE_GITHUB: github.url,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "../support/fake-github-hosts.mjs")}`,
    },
  });
  own = { base: server.url, key: server.apiKey };
});
afterAll(async () => {
  await server?.stop();
  github?.close();
});

function newUser(email: string, options: { verified?: boolean } = {}): GithubUser {
  nextId += 1;
  return { id: nextId, login: `user${nextId}`, emails: [{ email, primary: true, verified: options.verified ?? true }] };
}

/** From our page to GitHub's: returns the URL there. */
async function leave(browser: Browser, callbackUrl = server.url): Promise<URL> {
  const { csrfToken } = await (await browser.fetch("/api/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, callbackUrl, json: "true" });
  const { url } = await (await browser.fetch("/api/auth/signin/github", { method: "POST", body })).json();
  return new URL(url);
}

/** Back from there: returns where we redirect. */
async function comeBack(browser: Browser, query: Record<string, string>): Promise<URL> {
  let to = new URL(`${server.url}/api/auth/callback/github?${new URLSearchParams(query)}`);
  while (to.pathname.startsWith("/api/auth/")) {
    const answer = await browser.fetch(to.pathname + to.search);
    expect(answer.status).toBe(302);
    to = new URL(answer.headers.get("location") ?? "", server.url);
    expect(to.origin).toBe(server.url);
  }
  return to;
}

async function signIn(user: GithubUser, browser = new Browser(server.url)): Promise<{ browser: Browser; to: URL }> {
  const away = await leave(browser);
  const to = await comeBack(browser, { code: github.agree(user), state: away.searchParams.get("state") ?? "" });
  return { browser, to };
}

async function invite(email: string): Promise<void> {
  const { status } = await api("POST", "/invitations", { ...own, body: { email, role: "viewer" } });
  expect(status).toBe(201);
}

/** The session's user; null without one. */
async function emailOf(browser: Browser): Promise<string | null> {
  const answer = await browser.fetch("/api/v1/account");
  return answer.ok ? (await answer.json()).data.email : null;
}

describe("an invited person", () => {
  test("is admitted with the address that GitHub has verified, and again later", async () => {
    await invite("new@example.com");
    const user = newUser("new@example.com");
    const { browser, to } = await signIn(user);
    expect([to.origin, await emailOf(browser)]).toEqual([server.url, "new@example.com"]);
    const again = await signIn({ ...user, emails: [] });
    expect(await emailOf(again.browser)).toBe("new@example.com");
  });

  test("is sent to GitHub with a state, and back to this site only", async () => {
    const away = await leave(new Browser(server.url), "https://evil.example/");
    expect([away.origin, away.pathname]).toEqual(["https://github.com", "/login/oauth/authorize"]);
    expect(away.searchParams.get("redirect_uri")).toBe(`${server.url}/api/auth/callback/github`);
    expect(away.searchParams.get("state")?.length).toBeGreaterThan(20);
    expect(away.href).not.toContain(client.secret);
  });

  test("is redirected to no other site", async () => {
    await invite("open@example.com");
    const browser = new Browser(server.url);
    const away = await leave(browser, "https://evil.example/");
    const code = github.agree(newUser("open@example.com"));
    const to = await comeBack(browser, { code, state: away.searchParams.get("state") ?? "" });
    expect(to.origin).toBe(server.url);
  });
});

describe("nobody else is admitted", () => {
  test.each([
    ["without an invitation", () => newUser("stranger@example.com"), "NotInvited"],
    [
      "with an address that GitHub has not verified",
      () => newUser("unverified@example.com", { verified: false }),
      "NotInvited",
    ],
    ["with the address of an account that is here", () => newUser(server.email), "ConnectFirst"],
  ])("%s", async (_who, user, error) => {
    await api("POST", "/invitations", { ...own, body: { email: "unverified@example.com", role: "viewer" } });
    const { browser, to } = await signIn(user());
    expect([to.searchParams.get("error"), await emailOf(browser)]).toEqual([error, null]);
  });

  test.each([
    ["a code that GitHub does not know", { code: "unknown" }],
    ["a state that is not this browser's", { state: "another" }],
    ["no state", { state: "" }],
    ["an error of GitHub's", { error: "access_denied" }],
  ])("with %s", async (_title, changed) => {
    await api("POST", "/invitations", { ...own, body: { email: "late@example.com", role: "viewer" } });
    const browser = new Browser(server.url);
    const away = await leave(browser);
    const callback = { code: github.agree(newUser("late@example.com")), state: away.searchParams.get("state") ?? "" };
    const to = await comeBack(browser, { ...callback, ...changed });
    expect([to.pathname, await emailOf(browser)]).toEqual(["/sign-in", null]);
  });

  test("by an answer meant for another browser, or already used", async () => {
    await invite("victim@example.com");
    const attacker = new Browser(server.url);
    const away = await leave(attacker);
    const state = away.searchParams.get("state") ?? "";
    const query = { code: github.agree(newUser("victim@example.com")), state };
    const victim = new Browser(server.url);
    expect((await comeBack(victim, query)).searchParams.has("error")).toBe(true);
    await leave(victim);
    expect((await comeBack(victim, query)).searchParams.has("error")).toBe(true);
    expect(await emailOf(victim)).toBe(null);
    await comeBack(attacker, query);
    expect(await emailOf(attacker)).toBe("victim@example.com");
    const replay = new Browser(server.url);
    for (const [name, value] of attacker.cookies) if (!name.includes("session")) replay.cookies.set(name, value);
    await comeBack(replay, query);
    expect(await emailOf(replay)).toBe(null);
  });

  test("by a start from another site's page: it has no CSRF token", async () => {
    const browser = new Browser(server.url);
    const body = new URLSearchParams({ callbackUrl: server.url, json: "true" });
    const { url } = await (await browser.fetch("/api/auth/signin/github", { method: "POST", body })).json();
    expect(new URL(url).origin).toBe(server.url);
  });
});

describe("a GitHub account", () => {
  test("is connected by its signed-in owner, signs in from then on, and is disconnected again", async () => {
    const owner = new Browser(server.url);
    expect(await owner.signIn(server.email, server.password)).toBe(null);
    const user = newUser("elsewhere@example.com");
    await signIn(user, owner);
    expect(await emailOf(owner)).toBe(server.email);
    const { browser } = await signIn(user);
    expect(await emailOf(browser)).toBe(server.email);
    const ended = await browser.api("DELETE", "/account/providers/github", { password: server.password });
    expect([204, 200]).toContain(ended.status);
    expect((await signIn(user)).to.searchParams.get("error")).toBe("NotInvited");
  });

  test("of somebody else is not connected a second time", async () => {
    await invite("first@example.com");
    const user = newUser("first@example.com");
    await signIn(user);
    const owner = new Browser(server.url);
    await owner.signIn(server.email, server.password);
    const { to } = await signIn(user, owner);
    expect([to.searchParams.get("error"), await emailOf(owner)]).toEqual(["ConnectedToOther", server.email]);
  });
});
