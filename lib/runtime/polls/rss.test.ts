// Each entry of a feed starts one run, by its guid; no feed costs more than its limits.
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { pollState } from "#lib/flows/polls/stored-poll.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { pollDue } from "./polls.ts";

let server: Server;
let source: string;
let actor: Actor;
let answer: { status?: number; headers?: Record<string, string>; body?: string | Buffer };
let requests: IncomingHttpHeaders[];

inOwnDatabase();
beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  server = createServer((request, response) => {
    requests.push(request.headers);
    response.writeHead(answer.status ?? 200, { "content-type": "application/xml", ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`;
});
beforeEach(async () => {
  actor = await newActor();
  requests = [];
  await queryPlanned("DELETE FROM flow_poll", []);
});
afterAll(async () => {
  await outsideWorld().outbound.close();
  server?.close();
});

async function reading(config: object = {}) {
  const trigger = { type: "rss" as const, config: { url: source, everyMs: 30_000, ...config } };
  const given = { name: "Reading", status: "active" as const, tags: [], variables: {}, nodes: [], edges: [] };
  return (await createFlow(actor, { ...given, trigger })).id;
}
async function pollAll() {
  await queryPlanned("UPDATE flow_poll SET next_at = now() - interval '1 second', lease_until = NULL", []);
  await pollDue();
}
async function startedWith(flowId: string): Promise<Record<string, unknown>[]> {
  const text = "SELECT trigger FROM execution WHERE flow_id = $1 ORDER BY started_at, id";
  const rows = await queryPlanned<{ trigger: string }>(text, [flowId]);
  return rows.map(({ trigger }) => JSON.parse(trigger).body);
}
const rss = (...items: string[]) => `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
  ${items.map((item) => `<item>${item}</item>`).join("")}</channel></rss>`;

// Proves triggers.rss
test("an RSS 2.0 feed starts a run for each new entry by its guid, oldest first", async () => {
  answer = { body: rss("<guid>1</guid><title>One</title>") };
  const id = await reading();
  await pollAll();
  const third = `<guid isPermaLink="false">3</guid><title>A &amp; &#228;</title><link>https://example.com/3</link>
    <description><![CDATA[<p>Text</p>]]></description><pubDate>Mon, 23 Nov 2026 08:00:00 GMT</pubDate>
    <category>a</category><category>b</category><dc:creator>Ann</dc:creator><content:encoded>long</content:encoded>
    <enclosure url="https://example.com/3.mp3" type="audio/mpeg" length="12"/>`;
  answer = { body: rss(third, "<guid>2</guid>", "<guid>1</guid><title>One, changed</title>", "<guid>2</guid>") };
  await pollAll();
  await pollAll();
  const started = await startedWith(id);
  expect(started.map((entry) => entry.id)).toEqual(["2", "3"]);
  expect(started[1]).toEqual({
    id: "3",
    title: "A & ä",
    link: "https://example.com/3",
    published: "2026-11-23T08:00:00.000Z",
    updated: null,
    author: "Ann",
    summary: "<p>Text</p>",
    content: "long",
    categories: ["a", "b"],
    enclosures: [{ url: "https://example.com/3.mp3", type: "audio/mpeg", length: 12 }],
  });
  expect(await queryPlanned("SELECT DISTINCT source FROM execution WHERE flow_id = $1", [id])).toEqual([
    { source: "rss" },
  ]);
});

test("entries with a time start runs in the order of their times, wherever the feed has them", async () => {
  const entry = (day: number) => `<guid>${day}</guid><pubDate>2026-11-${day} 08:00 GMT</pubDate>`;
  answer = { body: rss(entry(21), entry(23), entry(22)) };
  const id = await reading({ fromNow: false });
  await pollAll();
  expect((await startedWith(id)).map((started) => started.id)).toEqual(["21", "22", "23"]);
});

test("a feed may end with the comments of a blog's caches", async () => {
  answer = { body: `${rss("<guid>1</guid>")}\n<!-- Dynamic page -->\n\n<!-- Cached page ${"x".repeat(3_000)} -->\n` };
  const id = await reading({ fromNow: false });
  await pollAll();
  expect((await startedWith(id)).map((entry) => entry.id)).toEqual(["1"]);
});

test.each(["utf16le", "utf16be"])("a feed in %s has a byte order mark", async (order) => {
  const body = Buffer.from(
    `\ufeff<?xml version="1.0" encoding="UTF-16"?>${rss("<guid>ä</guid>").slice(21)}`,
    "utf16le",
  );
  answer = { body: order === "utf16le" ? body : body.swap16() };
  const id = await reading({ fromNow: false });
  await pollAll();
  expect((await startedWith(id)).map((entry) => entry.id)).toEqual(["ä"]);
});

test("an Atom feed, an RDF feed, and one in another charset", async () => {
  const id = await reading({ fromNow: false });
  answer = {
    body: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:1</id><title type="html">&lt;b&gt;x</title>
      <link rel="self" href="https://a/self"/><link href="https://a/1"/><author><name>Ann</name></author>
      <content type="xhtml"><div>a <b>b</b></div></content><updated>2026-01-01T00:00:00Z</updated></entry></feed>`,
  };
  await pollAll();
  answer = { body: `<rdf:RDF><channel/><item rdf:about="https://r/1"><title>R</title></item></rdf:RDF>` };
  await pollAll();
  const head = `<?xml version="1.0" encoding="ISO-8859-1"?>`;
  answer = { body: Buffer.from(head + rss("<guid>ä</guid>").slice(21), "latin1") };
  await pollAll();
  const [atom, ...others] = await startedWith(id);
  expect(atom).toMatchObject({ id: "urn:1", title: "<b>x", link: "https://a/1", author: "Ann" });
  expect(atom).toMatchObject({ content: "<div>a <b>b</b></div>", updated: "2026-01-01T00:00:00.000Z" });
  expect(others.map((entry) => entry.id)).toEqual(["https://r/1", "ä"]);
});

test.each(["atom", "a.b-1"])("an Atom feed may have the prefix %s", async (p) => {
  const entry = `<${p}:entry><${p}:id>urn:1</${p}:id><${p}:title type="html">&lt;b&gt;x</${p}:title><title>not Atom</title>
    <${p}:link rel="self" href="https://a/self"/><${p}:link href="https://a/1"/><${p}:category term="c"/>
    <${p}:author><${p}:name>Ann &amp; Bob</${p}:name></${p}:author><media:title>not Atom</media:title>
    <${p}:content type="xhtml"><div>a <b>b</b></div></${p}:content><${p}:updated>2026-01-01T00:00:00Z</${p}:updated>
    </${p}:entry>`;
  answer = { body: `<?xml version="1.0"?><${p}:feed xmlns:${p}="http://www.w3.org/2005/Atom">${entry}</${p}:feed>` };
  const id = await reading({ fromNow: false });
  await pollAll();
  expect(await pollState(id)).toMatchObject({ error: null });
  expect(await startedWith(id)).toMatchObject([
    {
      ...{ id: "urn:1", title: "<b>x", link: "https://a/1", author: "Ann & Bob", categories: ["c"] },
      ...{ content: "<div>a <b>b</b></div>", updated: "2026-01-01T00:00:00.000Z" },
    },
  ]);
});

test("the links of Atom in an RSS feed are not its entries' links", async () => {
  const item = `<guid>1</guid><atom:link rel="self" href="https://a/self"/><link>https://a/1</link>`;
  answer = { body: rss(item).replace("<rss ", '<rss xmlns:atom="http://www.w3.org/2005/Atom" ') };
  const id = await reading({ fromNow: false });
  await pollAll();
  expect(await startedWith(id)).toMatchObject([{ link: "https://a/1" }]);
});

test("a feed is requested with its last ETag, and 304 is a successful poll", async () => {
  const headers = { etag: '"v1"', "last-modified": "Mon, 23 Nov 2026 08:00:00 GMT" };
  answer = { headers, body: rss("<guid>1</guid>") };
  const id = await reading();
  await pollAll();
  answer = { status: 304 };
  await pollAll();
  await pollAll();
  expect(requests.map((sent) => [sent["if-none-match"], sent["if-modified-since"]])).toEqual([
    [undefined, undefined],
    ['"v1"', headers["last-modified"]],
    ['"v1"', headers["last-modified"]],
  ]);
  expect(await pollState(id)).toMatchObject({ items: 1, failures: 0, error: null });
});

const entities = (count: number) =>
  Array.from({ length: count }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join("");

test.each([
  ["no feed", "<html></html>", "not an RSS, Atom or RDF feed"],
  ["another vocabulary's feed", '<x:feed xmlns:x="urn:x"></x:feed>', "not an RSS, Atom or RDF feed"],
  ["nothing", "", "truncated"],
  ["a feed that is cut off", rss("<guid>1</guid>").slice(0, -10), "truncated"],
  ["nesting without end", `<rss>${"<a>".repeat(100_000)}</rss>`, "not well-formed"],
  [
    "a file as an entity",
    `<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]>${rss("").slice(21)}`,
    "not well-formed",
  ],
  ["more bytes than an answer has", rss(`<guid>${"x".repeat(5 * 1_048_576)}</guid>`), "larger than 5 MiB"],
  ["a bomb of compression", gzipSync(Buffer.alloc(64 * 1_048_576, 32)), "larger than"],
])("%s fails the poll and starts nothing", async (_, body, message) => {
  answer = { body, headers: Buffer.isBuffer(body) ? { "content-encoding": "gzip" } : {} };
  const id = await reading({ fromNow: false });
  await pollAll();
  expect((await pollState(id))?.error).toContain(message);
  expect(await startedWith(id)).toEqual([]);
});

test("entities defined in a document are not expanded", async () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY e0 "lol">${entities(30)}]>`;
  const body = rss("<guid>&e30;</guid><title>&e29;&#0;&#xD800;</title>").replace("?>", `?>${bomb}`);
  answer = { body };
  const id = await reading({ fromNow: false });
  await pollAll();
  expect(await startedWith(id)).toMatchObject([{ id: "&e30;", title: "&e29;\ufffd\ufffd" }]);
});

test("a feed of the maximum size blocks nothing", async () => {
  const item = `<guid>G</guid><title>${"word ".repeat(80)}</title><description>${"text &amp; ".repeat(20)}</description>`;
  const items = Array.from({ length: 7_000 }, (_, n) => item.replace("G", String(n)));
  answer = { body: rss(...items) };
  expect(answer.body?.length).toBeGreaterThan(4 * 1_048_576);
  const id = await reading();
  expect(await longestTurn(pollAll)).toBeLessThan(100);
  expect(await pollState(id)).toMatchObject({ items: 7_000, error: null });
});

test.each([{ url: "ftp://a" }, { url: undefined }, { url: "https://a/\ud800" }, { everyMs: 1 }, { fromNow: 1 }])(
  "a flow is not active with %j",
  async (config) => {
    const [field] = Object.keys(config);
    const details = { [`trigger.config.${field}`]: expect.any(String) };
    await expect(reading(config)).rejects.toMatchObject({ details });
  },
);
