import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { get, openClient, startTestServer } from "./test-server.ts";

const everyNameIsHere = async () => ["127.0.0.1"];

/** Answers `/to?status=…&location=…` with that redirect, and everything else with "arrived". */
const redirecting: RequestListener = (request, response) => {
  const url = new URL(request.url ?? "/", "http://x");
  if (url.pathname !== "/to") return response.end("arrived");
  response.writeHead(Number(url.searchParams.get("status") ?? 302), {
    location: url.searchParams.get("location") ?? "",
  });
  return response.end("elsewhere");
};

const to = (location: string, status = 302) => `/to?status=${status}&location=${encodeURIComponent(location)}`;

describe("every hop is checked like the first", () => {
  test("a redirect from an allowed name to a private address is refused", async () => {
    const server = await startTestServer(redirecting);
    const inside = await startTestServer((_request, response) => response.end("inside"));
    const client = openClient({ allow: `public.test:${server.port}`, resolve: everyNameIsHere });
    const url = `http://public.test:${server.port}${to(`${inside.url}/secret`)}`;
    await expect(client.send(get(url))).rejects.toMatchObject({ code: "BLOCKED_ADDRESS" });
    expect(inside.connections()).toBe(0);
  });

  test.each([
    "file:///etc/passwd",
    "ftp://127.0.0.1/",
    "javascript:alert(1)",
    "http://user:pass@127.0.0.1/",
    "http://[",
  ])("a redirect to %s is refused", async (location) => {
    const server = await startTestServer(redirecting);
    const refused = openClient().send(get(server.url + to(location)));
    await expect(refused).rejects.toMatchObject({ code: "BAD_URL" });
    await expect(refused).rejects.toThrow(/Redirected from/);
  });

  test("five redirects are followed, a sixth is not", async () => {
    const server = await startTestServer((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) return response.end("arrived");
      return response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const client = openClient();
    expect((await client.send(get(`${server.url}/5`))).body.toString()).toBe("arrived");
    await expect(client.send(get(`${server.url}/6`))).rejects.toMatchObject({ code: "TOO_MANY_REDIRECTS" });
    expect(server.received).toHaveLength(12);
  });

  test("without following, the redirect itself is returned", async () => {
    const server = await startTestServer(redirecting);
    const answer = await openClient().send(get(server.url + to("/next"), { followRedirects: false }));
    expect(answer).toMatchObject({ status: 302, headers: { location: "/next" } });
    expect(answer.body.toString()).toBe("elsewhere");
    expect(server.received).toHaveLength(1);
  });

  test("a redirect without a location is an answer", async () => {
    const server = await startTestServer((_request, response) => response.writeHead(302).end("lost"));
    expect((await openClient().send(get(server.url))).body.toString()).toBe("lost");
  });
});

describe("what reaches the next hop", () => {
  const secrets = { Authorization: "Bearer a", Cookie: "b=c", "X-Api-Key": "d", Accept: "text/plain" };

  test("secrets are dropped when the origin changes", async () => {
    const other = await startTestServer(redirecting);
    const server = await startTestServer(redirecting);
    await openClient().send(get(server.url + to(other.url), { headers: secrets, secretHeaders: ["X-API-Key"] }));
    expect(server.received[0]?.headers).toMatchObject({ authorization: "Bearer a", cookie: "b=c", "x-api-key": "d" });
    const { headers } = other.received[0] ?? {};
    expect(headers).toMatchObject({ accept: "text/plain" });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("cookie");
    expect(headers).not.toHaveProperty("x-api-key");
  });

  test("secrets do not return with a redirect back", async () => {
    const server = await startTestServer(redirecting);
    const other = await startTestServer(redirecting);
    await openClient().send(get(server.url + to(other.url + to(`${server.url}/back`)), { headers: secrets }));
    expect(server.received[1]).toMatchObject({ url: "/back" });
    expect(server.received[1]?.headers).not.toHaveProperty("authorization");
  });

  test("secrets are kept within one origin", async () => {
    const server = await startTestServer(redirecting);
    await openClient().send(get(server.url + to("/next"), { headers: secrets, secretHeaders: ["x-api-key"] }));
    expect(server.received[1]?.headers).toMatchObject({ authorization: "Bearer a", "x-api-key": "d" });
  });

  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [301, "PUT", "PUT"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
  ])("%i makes a %s a %s", async (status, method, next) => {
    const server = await startTestServer(redirecting);
    const headers = { "Content-Type": "text/plain", "X-Kept": "yes" };
    const body = method === "HEAD" ? {} : { body: "text" };
    await openClient().send(get(server.url + to("/next", status), { method, headers, ...body }));
    const last = server.received[1];
    const keepsBody = method === next && method !== "HEAD";
    expect(last).toMatchObject({ method: next, url: "/next", body: keepsBody ? "text" : "" });
    expect(last?.headers["x-kept"]).toBe("yes");
    if (next === "GET") expect(last?.headers).not.toHaveProperty("content-type");
  });
});
