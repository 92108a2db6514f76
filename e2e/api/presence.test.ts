import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { call } from "#e2e/support/api-client.ts";
import { EventReader, type SentEvent } from "#e2e/support/event-stream.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow } from "#e2e/support/flows.ts";
import { newTenant, type Tenant } from "#e2e/support/matrix/own-resources.ts";
import { Browser, newPerson, signedIn, signedInAs, sql } from "#e2e/support/people.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { presenceLimits } from "#lib/contract/flows/presence.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { newId } from "#lib/platform/ids.ts";

interface Tab {
  readonly tab: string;
  readonly userId: string;
  readonly name: string;
  readonly selection: readonly string[];
  readonly within: string | null;
}

const tabOf = (event: SentEvent | undefined, tab: string): Tab | undefined =>
  (event?.data.people as Tab[] | undefined)?.find((person) => person.tab === tab);
const follow = (browser: Browser, flow: string, base?: string) =>
  EventReader.open(`/flows/${flow}/presence`, {
    key: null,
    headers: { cookie: browser.cookieHeader() },
    ...(base !== undefined && { base: `${base}/api/v1` }),
  });
const enter = (browser: Browser, flow: string, tab: string, selection: string[] = [], within?: string) =>
  browser.api("PUT", `/flows/${flow}/presence`, { tab, selection, within });

describe.skipIf(inject("server").dataDir === undefined)("presence", () => {
  let [ana, vera]: Browser[] = [];
  let theirs: Tenant;
  let flow: string;
  beforeAll(async () => {
    [ana, vera] = [await signedInAs("editor"), await signedInAs("viewer")];
    theirs = await newTenant("Theirs");
    flow = (await createFlow({ name: "Shared" })).id;
  });
  const people = () => ({ ana: ana as Browser, vera: vera as Browser });

  test("editors and viewers see each other, what is selected, what is saved, and who leaves", async () => {
    const { ana, vera } = people();
    const stream = await follow(vera, flow);
    expect(stream.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    await stream.until("it begins", ({ data }) => data.people.length === 0);
    expect((await enter(ana, flow, "tab-of-ana", ["a", "\ud800\u0000"], "each-item")).status).toBe(204);
    expect((await enter(vera, flow, "tab-of-vera")).status).toBe(204);
    const both = await stream.until("both are there", (event) => tabOf(event, "tab-of-vera") !== undefined);
    expect(tabOf(both, "tab-of-ana")).toMatchObject({ name: "Ann", selection: ["a", "\ud800\u0000"] });
    expect([tabOf(both, "tab-of-ana")?.within, tabOf(both, "tab-of-vera")?.within]).toEqual(["each-item", null]);
    expect(both.data.others).toBe(0);
    expect(tabOf(both, "tab-of-vera")?.userId).toBe(both.data.you);

    const saved = await call("PATCH", `/flows/${flow}`, { description: "saved" });
    expect(saved.status).toBe(200);
    const { updatedAt } = (await call<{ updatedAt: string }>("GET", `/flows/${flow}`)).data;
    await stream.until("the save is told", ({ data }) => data.saved.updatedAt === updatedAt);

    expect((await ana.api("DELETE", `/flows/${flow}/presence?tab=tab-of-ana`)).status).toBe(204);
    const last = await eventually("Ana is gone", () => {
      const event = stream.events.at(-1);
      return event && tabOf(event, "tab-of-ana") === undefined ? event : undefined;
    });
    expect(tabOf(last, "tab-of-vera")).toBeDefined();
    const ids = stream.events.map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    expect((await vera.api("DELETE", `/flows/${flow}/presence`)).status).toBe(204);
  });

  test("a tab that says nothing more is gone when its lease ends", async () => {
    const { ana, vera } = people();
    await enter(ana, flow, "silent-tab");
    const stream = await follow(vera, flow);
    await stream.until("it is there", (event) => tabOf(event, "silent-tab") !== undefined);
    await sql("UPDATE flow_presence SET seen_at = now() - interval '16 seconds' WHERE tab = 'silent-tab'");
    await stream.until("it is gone", ({ data }) => data.people.length === 0);
  });

  test("a key is nobody, and another workspace finds nothing", async () => {
    const path = `/flows/${flow}/presence`;
    const body = { tab: "tab-of-theirs" };
    for (const [method, sent] of [
      ["GET", undefined],
      ["PUT", body],
      ["DELETE", undefined],
    ] as const) {
      const byKey = await call(method, path, sent);
      expect([byKey.status, byKey.error?.details?.required]).toEqual([403, "session"]);
      const foreign = await theirs.owner.api(method, path, sent);
      expect([foreign.status, foreign.error?.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect(await sql("SELECT 1 FROM flow_presence WHERE tab = 'tab-of-theirs'")).toEqual([]);
  });

  test("who is removed from the workspace is gone for the others at once", async () => {
    const [account] = await sql<{ workspace_id: string }>("SELECT workspace_id FROM flow WHERE id = $1", [flow]);
    const person = await newPerson({ [account?.workspace_id ?? ""]: "viewer" });
    await enter(await signedIn(person), flow, "tab-of-removed");
    const stream = await follow(people().ana, flow);
    await stream.until("they are there", (event) => tabOf(event, "tab-of-removed") !== undefined);
    await sql("DELETE FROM membership WHERE user_id = $1", [person.id]);
    await stream.until("they are gone", ({ data }) => data.people.length === 0);
  });

  test.each([
    ["no tab", {}, "tab"],
    ["a tab that is a number", { tab: 7 }, "tab"],
    ["a tab with U+0000", { tab: "tab\u0000tab\u0000" }, "tab"],
    ["a tab with a lone surrogate", { tab: "tab-tab-\ud800" }, "tab"],
    ["a selection that is no list", { tab: "tab-of-ana", selection: {} }, "selection"],
    ["ids that are no texts", { tab: "tab-of-ana", selection: [null] }, "selection[0]"],
    ["a level that is no id", { tab: "tab-of-ana", within: ["a"] }, "within"],
    ["too many ids", { tab: "tab-of-ana", selection: Array(presenceLimits.selectedMax + 1).fill("a") }, "selection"],
    ["too many bytes", { tab: "tab-of-ana", selection: Array(99).fill("é".repeat(99)) }, "selection"],
  ])("%s is refused, with the path", async (_, body, path) => {
    const answer = await people().ana.api("PUT", `/flows/${flow}/presence`, body);
    expect([answer.status, answer.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(answer.error?.details)).toContain(`"${path}`);
  });

  test("a tab's requests are limited", async () => {
    const { ana } = people();
    const answers = await Promise.all(["a", "b", "c", "d", "e"].map((id) => enter(ana, flow, "tab-in-haste", [id])));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([204, 429]));
    expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("1");
    await ana.api("DELETE", `/flows/${flow}/presence`);
  });

  test("the stream ends with the flow, and begins no more", async () => {
    const { ana } = people();
    const { id } = await createFlow({ name: "Short-lived" });
    const stream = await follow(ana, id);
    expect((await call("DELETE", `/flows/${id}`)).status).toBeLessThan(300);
    await stream.ended;
    expect((await ana.api("GET", `/flows/${id}/presence`)).status).toBe(404);
    expect((await enter(ana, id, "tab-of-ana")).status).toBe(404);
  });
});

describe("two servers on one database", () => {
  const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "b".repeat(32), BOOTSTRAP_API_KEY: "c".repeat(40) };
  let servers: RunningServer[];
  let flow: string;
  const browsers: Browser[] = [];

  beforeAll(async () => {
    const { url } = await createTestDatabase();
    const env = { ...secrets, DATABASE_URL: url };
    servers = await Promise.all([startServer({ env }), startServer({ env })]);
    flow = await new ServerClient(servers[0] as RunningServer).createFlow([]);
    const client = await connect(url);
    const hash = await hashPassword("a long password");
    for (const [index, name] of ["Ana", "Bo"].entries()) {
      const id = newId("user");
      const email = `${name}@example.com`.toLowerCase();
      await client.query(`INSERT INTO "user" (id, email, name, password_hash) VALUES ($1, $2, $3, $4)`, [
        id,
        email,
        name,
        hash,
      ]);
      await client.query(
        "INSERT INTO membership (workspace_id, user_id, role) SELECT workspace_id, $1, 'editor' FROM flow WHERE id = $2",
        [id, flow],
      );
      const browser = new Browser(servers[index]?.url);
      expect(await browser.signIn(email, "a long password")).toBeNull();
      browsers.push(browser);
    }
    await client.end();
  });
  afterAll(async () => {
    await Promise.allSettled(servers.map((server) => server.kill()));
  });

  test("who speaks to one is seen through the other; a server's stop ends its streams, and nobody's presence", async () => {
    const [ana, bo] = browsers as [Browser, Browser];
    const [first, second] = servers as [RunningServer, RunningServer];
    const [here, there] = [await follow(ana, flow, first.url), await follow(bo, flow, second.url)];
    await enter(ana, flow, "tab-of-ana", ["a"]);
    await enter(bo, flow, "tab-of-bo", ["b"]);
    for (const stream of [here, there]) {
      await stream.until("both are there", ({ data }) => {
        const seen = (data.people as Tab[]).map(({ name, selection }) => [name, ...selection]).join();
        return seen === "Ana,a,Bo,b";
      });
    }
    await first.kill();
    await here.ended.catch(() => {});
    expect(there.events.at(-1)?.data.people).toHaveLength(2);
    await bo.api("DELETE", `/flows/${flow}/presence?tab=tab-of-bo`);
    await there.until("Bo is gone", ({ data }) => data.people.length === 1 && data.people[0].name === "Ana");
  });
});
