import { describe, expect, test } from "vitest";
import { createAddressGuard } from "./address-guard.ts";
import { parseAllowList } from "./allow-list.ts";
import { get, openClient, startTestServer, type TestServer } from "./test-server.ts";
import urlList from "./testdata/ssrf-urls.json" with { type: "json" };

const publicIds = new Set(["U91", "U92"]);
const refusedUrls = urlList
  .filter(({ id }) => !publicIds.has(id))
  .map(({ id, url }) => ({ id, url: url.replace("…(70000 chars)", "a".repeat(70_000)) }));

/** Listens on the loopback of both families, where a request that got through would arrive. */
async function startCanaries(): Promise<{ port: number; connections(): number }> {
  const four = await startTestServer((_request, response) => response.end("inside"));
  let six: TestServer | undefined;
  try {
    six = await startTestServer((_request, response) => response.end("inside"), { host: "::1", port: four.port });
  } catch {
    // The machine has no IPv6.
  }
  return { port: four.port, connections: () => four.connections() + (six?.connections() ?? 0) };
}

/** The same URL with the canary's port, if the URL can be parsed at all. */
function atPort(url: string, port: number): string {
  if (!URL.canParse(url)) return url;
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

const everyNameIsInside = async () => ["127.0.0.1"];

describe("no URL of the list reaches the private network", () => {
  // Proves http-request.private-addresses
  test.each(refusedUrls)("$id", async ({ url }) => {
    const canaries = await startCanaries();
    const client = openClient({ allow: "", resolve: everyNameIsInside });
    for (const text of [url, atPort(url, canaries.port)]) {
      await expect(client.send(get(text))).rejects.toMatchObject({
        name: "OutboundError",
        code: expect.stringMatching(/^(BLOCKED_ADDRESS|BAD_URL)$/),
      });
      await expect(client.check(text)).rejects.toMatchObject({ name: "OutboundError" });
    }
    expect(canaries.connections()).toBe(0);
  });

  test("with the guard open, the same spellings reach it", async () => {
    const canaries = await startCanaries();
    const client = openClient({ allow: "127.0.0.0/8, localhost", resolve: everyNameIsInside });
    for (const host of ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "127。0。0。1"]) {
      const answer = await client.send(get(`http://${host}:${canaries.port}/`));
      expect(answer.body.toString()).toBe("inside");
    }
    expect(canaries.connections()).toBeGreaterThan(0);
  });

  test("public addresses pass", async () => {
    const client = openClient({ allow: "" });
    for (const { url } of urlList.filter(({ id }) => publicIds.has(id))) await client.check(url);
  });
});

describe("names are checked by all their addresses", () => {
  test.each([
    ["one inner address among public ones", ["93.184.216.34", "127.0.0.1"]],
    ["an inner IPv6 address beside a public IPv4 one", ["93.184.216.34", "fd00::1"]],
    ["an IPv4 address in IPv6's clothes", ["::ffff:127.0.0.1"]],
  ])("%s refuses the request", async (_case, addresses) => {
    const canaries = await startCanaries();
    const client = openClient({ allow: "", resolve: async () => addresses });
    await expect(client.send(get(`http://mixed.test:${canaries.port}/`))).rejects.toMatchObject({
      code: "BLOCKED_ADDRESS",
    });
    expect(canaries.connections()).toBe(0);
  });

  test("a name that resolves to a private address later is refused at its next connection", async () => {
    const server = await startTestServer((_request, response) => response.setHeader("connection", "close").end("ok"));
    const answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "::1"]];
    let lookups = 0;
    const client = openClient({ allow: "127.0.0.1", resolve: async () => answers[lookups++] ?? [] });
    const url = `http://rebind.test:${server.port}/`;
    expect((await client.send(get(url))).body.toString()).toBe("ok");
    expect(lookups).toBe(1);
    for (const _later of answers.slice(1)) {
      await expect(client.send(get(url))).rejects.toMatchObject({ code: "BLOCKED_ADDRESS" });
    }
    expect(server.connections()).toBe(1);
  });

  test("a name that does not exist says so", async () => {
    const client = openClient({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    await expect(client.send(get("http://nowhere.test/"))).rejects.toMatchObject({
      code: "DNS_FAILED",
      message: expect.stringContaining("nowhere.test"),
    });
  });

  test("a resolver that never answers fails at the deadline", { timeout: 5_000 }, async () => {
    const client = openClient({ resolve: () => new Promise(() => {}) });
    await expect(client.send(get("http://slow.test/", { timeoutMs: 50 }))).rejects.toMatchObject({ code: "TIMEOUT" });
  });
});

describe("the message of a refusal", () => {
  test("tells an operator what to do, and reveals nothing about the network", async () => {
    const client = openClient({ allow: "", resolve: async () => ["10.20.30.40"] });
    const refused = client.send(get("http://db.internal/?token=abc"));
    await expect(refused).rejects.toThrow(/Blocked address: db\.internal .*OUTBOUND_ALLOW/);
    await expect(refused).rejects.not.toThrow(/10\.20\.30\.40|token/);
  });

  test("non-HTTP ports are refused until they are allowed by number", async () => {
    const resolve = async () => ["127.0.0.1"];
    const closed = createAddressGuard(parseAllowList("db.internal"), resolve);
    expect(() => closed.checkHost("db.internal", 5432)).toThrow(/port 5432/);
    const opened = createAddressGuard(parseAllowList("db.internal:5432"), resolve);
    expect(() => opened.checkHost("db.internal", 5432)).not.toThrow();
  });

  test("the address at the other end of a socket is checked as well", () => {
    const guard = createAddressGuard(parseAllowList(""), async () => ["93.184.216.34"]);
    expect(() => guard.checkRemote("example.com", 80, "127.0.0.1")).toThrow(/Blocked address/);
    expect(() => guard.checkRemote("example.com", 80, undefined)).toThrow(/Blocked address/);
    expect(() => guard.checkRemote("example.com", 80, "93.184.216.34")).not.toThrow();
  });
});
