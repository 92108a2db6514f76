// Two servers on one database renew one rotating refresh token: once, also where one is killed on the way.
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { node } from "#e2e/support/flows.ts";
import { oauthData, type Provider, startProvider } from "#e2e/support/oauth-provider.ts";
import { Browser } from "#e2e/support/people.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";
import { connect } from "#lib/platform/database/connect.ts";

const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "b".repeat(32), BOOTSTRAP_API_KEY: "c".repeat(40) };

let provider: Provider;
let url: string;
let servers: RunningServer[] = [];
let clients: ServerClient[] = [];
let credentialId: string;
let flow: string;

beforeAll(async () => {
  provider = await startProvider();
  url = (await createTestDatabase()).url;
  const env = {
    ...secrets,
    DATABASE_URL: url,
    BOOTSTRAP_EMAIL: "o@example.com",
    BOOTSTRAP_PASSWORD: "a long password",
  };
  servers = await Promise.all([startServer({ env }), startServer({ env })]);
  clients = servers.map((server) => new ServerClient(server));
  const body = { name: "google", type: "oauth2", data: oauthData(provider) };
  credentialId = (await clients[0]?.call<{ id: string }>("POST", "/credentials", body))?.data.id ?? "";
  const config = { url: `${provider.url}/me`, credential: "google" };
  flow = (await clients[0]?.createFlow([node("ask", "http-request", config)])) ?? "";
});
afterAll(async () => {
  await Promise.allSettled(servers.map((server) => server.kill()));
  await provider?.close();
});

async function sql<Row>(text: string): Promise<Row[]> {
  const client = await connect(url);
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** A person agrees; what is granted has ended already. */
async function connectEnded(server: RunningServer): Promise<void> {
  const browser = new Browser(server.url);
  expect(await browser.signIn("o@example.com", "a long password")).toBeNull();
  const { data } = await browser.api<{ url: string }>("POST", `/credentials/${credentialId}/connect`);
  const page = await (await fetch(data.url)).text();
  const back = new URL((/href="([^"]+)">Allow/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&"));
  const answer = await browser.fetch(`${back.pathname}${back.search}`);
  expect(answer.headers.get("location")).toBe("/credentials?connection=connected&credential=google");
  await sql("UPDATE oauth_connection SET renew_at = now(), ends_at = now()");
}

const refreshes = () => provider.requests.filter((form) => form.get("grant_type") === "refresh_token");

// Proves credentials.oauth-once
test("runs on both servers wait for one renewal", async () => {
  const [first, second] = clients;
  await connectEnded(servers[0] as RunningServer);
  provider.next.push("hold");
  const ids = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => (await (index % 2 === 0 ? first : second)?.start(flow)) ?? ""),
  );
  await eventually("the provider is asked", () => refreshes().length > 0 || undefined);
  provider.release();
  const ended = (await second?.allEnded(ids)) ?? [];
  expect(ended.map(({ status }) => status)).toEqual(ids.map(() => "completed"));
  expect(refreshes()).toHaveLength(1);
});

test("killed before the answer is stored, a server leaves a spent token, and a person is asked", async () => {
  const [, second] = clients;
  await connectEnded(servers[1] as RunningServer);
  const before = refreshes().length;
  provider.next.push("hold");
  await clients[0]?.call("POST", `/flows/${flow}/execute`, { data: {} });
  await eventually("the provider has spent the token", () => refreshes().length > before || undefined);
  await servers[0]?.kill();
  provider.release();
  // Its lease keeps the other from asking, until it ends.
  await sql("UPDATE oauth_connection SET lease_until = now()");
  const id = (await second?.start(flow)) ?? "";
  expect((await second?.ended(id))?.error).toMatchObject({ code: "CREDENTIAL_EXPIRED" });
  const { data } = (await second?.call<{ connection: object }>("GET", `/credentials/${credentialId}`)) ?? {};
  expect(data?.connection).toMatchObject({ status: "needs-reconnect" });

  await connectEnded(servers[1] as RunningServer);
  const again = (await second?.start(flow)) ?? "";
  expect((await second?.ended(again))?.status).toBe("completed");
});
