import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { ReadableStream as WebStream } from "node:stream/web";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiRoutes, apiHandler } from "./api-handler.ts";
import type { RouteHandler } from "./route.ts";

/** A route file with these methods. */
const fileOf = (handlers: Readonly<Record<string, RouteHandler>>) =>
  (async () => handlers) as unknown as ApiRoutes[string];

const file = (name: string) =>
  fileOf({
    GET: async (_, { params }) => Response.json({ name, ...(await params) }),
    POST: async (request) =>
      new Response(await request.text(), {
        headers: [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ],
      }),
  });

let left = 0;
const stream = fileOf({
  GET: async (request) => {
    request.signal.addEventListener("abort", () => {
      left += 1;
    });
    const parts = new ReadableStream({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        controller.enqueue(new TextEncoder().encode("part "));
      },
      cancel: () => {
        left += 1;
      },
    });
    return new Response(parts, { headers: { "x-frame-options": "SAMEORIGIN" } });
  },
});

const late = { isAsked: false, isCancelled: false };
const lateStream = fileOf({
  GET: async ({ signal }) => {
    const left = new Promise((resolve) => signal.addEventListener("abort", resolve));
    late.isAsked = true;
    await left;
    const never = new ReadableStream({
      cancel: () => {
        late.isCancelled = true;
      },
    });
    return new Response(never);
  },
});

const [largeParts, largeBytes] = [100, 262_144];
const large = fileOf({
  GET: async () => {
    const parts = Array.from({ length: largeParts }, () => new Uint8Array(largeBytes));
    return new Response(WebStream.from(parts) as unknown as BodyInit);
  },
});

const breaking = fileOf({
  GET: async () => {
    const parts = (async function* () {
      for (let index = 0; index < largeParts; index += 1) yield new Uint8Array(largeBytes);
      throw new Error("the disk is gone");
    })();
    return new Response(WebStream.from(parts) as unknown as BodyInit, { headers: { "x-part": "first" } });
  },
});

const inTurn = { asked: 0, open: 0, mostOpen: 0, left: 0 };
const pipelined = fileOf({
  GET: async ({ signal }) => {
    inTurn.asked += 1;
    inTurn.open += 1;
    inTurn.mostOpen = Math.max(inTurn.mostOpen, inTurn.open);
    await new Promise((resolve) => setImmediate(resolve));
    inTurn.open -= 1;
    signal.addEventListener("abort", () => {
      inTurn.left += 1;
    });
    return Response.json({ is: "the answer" });
  },
});

const handle = apiHandler({
  "/flows": file("flows"),
  "/flows/[id]": file("flow"),
  "/flows/tags": file("tags"),
  "/flows/[id]/draft": file("draft"),
  "/stream": stream,
  "/large": large,
  "/late": lateStream,
  "/breaking": breaking,
  "/pipelined": pipelined,
  "/broken": () => Promise.reject(new Error("it cannot be loaded")),
});
const server = createServer((request, response) => {
  if (!handle(request, response)) response.writeHead(404).end("left to Next");
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const read = async (path: string) => {
  const answer = await fetch(`${url}${path}`);
  return answer.status === 404 ? await answer.text() : await answer.json();
};

describe("the file of a path", () => {
  test.each([
    ["/api/v1/flows", { name: "flows" }],
    ["/v1/flows/?limit=1", { name: "flows" }],
    ["/api/v1/flows/tags", { name: "tags" }],
    ["/api/v1/flows/tags/draft", { name: "draft", id: "tags" }],
    ["/api/v1/flows/a%2Fb%20c", { name: "flow", id: "a/b c" }],
    ["/api/v1/flows/__proto__", { name: "flow", id: "__proto__" }],
    ["/api/v1/flows/x/draft/more", "left to Next"],
    ["/api/v1/nothing", "left to Next"],
    ["/api/v1/flows/%zz", { name: "flow", id: "%zz" }],
    ["/api/health", "left to Next"],
  ])("%s", async (path, expected) => expect(await read(path)).toEqual(expected));
});

test("an answer that is complete has its length, the headers of every answer and all its cookies", async () => {
  const answer = await fetch(`${url}/v1/flows`, { method: "POST", body: "grüezi" });
  expect(answer.headers.get("content-length")).toBe("7");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await answer.text()).toBe("grüezi");
});

test("a stream is sent as it comes, with headers of its own, and ends with its reader", async () => {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/v1/stream`, { signal: leaving.signal });
  expect(answer.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  const reader = answer.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^part /);
  leaving.abort();
  await expect.poll(() => left).toBe(2);
});

test("a stream that is answered after its client has left is cancelled", async () => {
  const leaving = new AbortController();
  const answer = fetch(`${url}/v1/late`, { signal: leaving.signal }).catch(() => null);
  await expect.poll(() => late.isAsked).toBe(true);
  leaving.abort();
  await answer;
  await expect.poll(() => late.isCancelled).toBe(true);
});

test("a stream that is read slowly is held back, and adds no listeners", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const answer = await fetch(`${url}/v1/large`);
  const bytes = await answer.bytes();
  process.off("warning", note);
  expect([bytes.length, warnings]).toEqual([largeParts * largeBytes, []]);
});

test("a stream whose source fails does not look complete, and fails nothing else", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  const answer = await fetch(`${url}/v1/breaking`);
  expect(answer.headers.get("x-part")).toBe("first");
  await expect(answer.bytes()).rejects.toThrow("terminated");
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("a file that cannot be loaded is an error in the envelope", async () => {
  const answer = await fetch(`${url}/v1/broken`);
  expect([answer.status, (await answer.json()).error.code]).toEqual([500, "INTERNAL_ERROR"]);
});

describe("calls that a connection sends before it has the answer to the first", () => {
  const call = (path: string, more = "") => `GET /v1${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

  test("are answered one after the other", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(call("/pipelined").repeat(19) + call("/pipelined", "Connection: close\r\n"));
    expect((await text(socket)).match(/the answer/g)).toHaveLength(20);
    expect(inTurn).toEqual({ asked: 20, open: 0, mostOpen: 1, left: 0 });
  });

  test("are given up with the connection", async () => {
    Object.assign(late, { isAsked: false, isCancelled: false });
    inTurn.asked = 0;
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(call("/late") + call("/pipelined").repeat(5));
    await expect.poll(() => late.isAsked).toBe(true);
    socket.destroy();
    await expect.poll(() => late.isCancelled).toBe(true);
    expect(inTurn.asked).toBe(0);
  });
});
