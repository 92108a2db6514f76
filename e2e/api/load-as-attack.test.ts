// Hostile load: what one caller sends must not affect the others.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { apiKey, baseUrl } from "#e2e/support/address.ts";
import { get, post } from "#e2e/support/api-client.ts";
import { endlessExpressions } from "#e2e/support/endless-expressions.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { newTenant, type Tenant } from "#e2e/support/matrix/own-resources.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { memoryBytesOf } from "#e2e/support/server-process.ts";
import { createHttpServer, patience } from "../../scripts/server/web-server.ts";

const { dataDir } = inject("server");
const address = new URL(baseUrl());
const open = (at = address) => connect(Number(at.port), at.hostname);
const mebibyte = 1_048_576;

/** For tests that measure memory: other tests take some of the shared server's. */
let own: RunningServer | undefined;
const ownMemoryBytes = () => memoryBytesOf(own?.pid ?? 0);
beforeAll(async () => {
  if (dataDir !== undefined) own = await startServer();
});
afterAll(() => own?.stop());

function openFilesMax(): number {
  const [, soft = "1024"] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return Number(soft);
}

async function readTwenty(at?: RunningServer): Promise<void> {
  const headers = { authorization: `Bearer ${at?.apiKey}` };
  const read = () => (at ? fetch(`${at.url}/api/v1/flows?limit=1`, { headers }) : get("/flows?limit=1"));
  for (let index = 0; index < 20; index += 1) expect((await read()).status).toBe(200);
}

/**
 * Sends a beginning and then single bytes until the other end hangs up, with `onAndOn` also after its answer; returns what
 * it said.
 */
async function dribble(socket: Socket, head: string, onAndOn = false): Promise<string> {
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(head);
  const writeMore = () => {
    if (answer === "" || (onAndOn && socket.readableEnded)) socket.write("a");
  };
  // After pending data is read: writing to a connection that was reset would lose the answer.
  const drip = setInterval(() => setImmediate(writeMore), 100);
  await closed;
  clearInterval(drip);
  return answer;
}

/** Sends the head of a request and as much of its body as is accepted; returns the beginning of the answer. */
async function sendBytes(head: string, bytes: number, at = address): Promise<string> {
  const socket = open(at);
  await once(socket, "connect");
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()).on("error", () => resolve()));
  socket.write(`${head}\r\nHost: ${at.host}\r\nContent-Length: ${bytes}\r\n\r\n`);
  const chunk = Buffer.alloc(64 * 1_024, 0x20);
  for (let sent = 0; sent < bytes && socket.writable && answer === ""; sent += chunk.length) {
    if (!socket.write(chunk)) await Promise.race([once(socket, "drain"), ended]).catch(() => {});
  }
  await eventually("an answer comes", () => (answer === "" ? undefined : answer));
  socket.destroy();
  return answer;
}

describe("a body of 50 MB", () => {
  const head = "POST /api/v1/flows HTTP/1.1\r\nContent-Type: application/json";

  test("without a key is answered before it is sent", async () => {
    expect(await sendBytes(head, 50 * mebibyte)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test.skipIf(dataDir === undefined)("from many at once costs no memory, with a key or without", async () => {
    const url = new URL(own?.url ?? "");
    await sendBytes(head, 50 * mebibyte, url);
    const before = ownMemoryBytes();
    for (const headers of ["", `\r\nAuthorization: Bearer ${own?.apiKey}`]) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => sendBytes(`${head}${headers}`, 50 * mebibyte, url)),
      );
      for (const answer of answers) expect(answer).toMatch(headers === "" ? /^HTTP\/1\.1 401 / : /^HTTP\/1\.1 413 /);
    }
    // 20 bodies are 1,000 MB.
    expect(ownMemoryBytes() - before).toBeLessThan(200 * mebibyte);
  });
});

describe("idle connections", () => {
  /** As many as the machine allows one process; its limit is also the server's. */
  const connections = Math.min(10_000, Math.floor(openFilesMax() / 2));
  const idle: Socket[] = [];
  afterAll(() => {
    for (const socket of idle) socket.destroy();
  });

  test.skipIf(dataDir === undefined)(
    "in their thousands take little memory, and others are answered beside them",
    async () => {
      const url = new URL(own?.url ?? "");
      await readTwenty(own);
      const before = ownMemoryBytes();
      while (idle.length < connections) {
        const opened = Array.from({ length: 250 }, () => open(url));
        idle.push(...opened);
        for (const socket of opened) socket.on("error", () => {});
        await Promise.all(opened.map((socket) => once(socket, "connect")));
      }
      // Half of them start a request that never ends.
      for (const socket of idle.slice(0, idle.length / 2)) socket.write("POST /api/v1/flows HTTP/1.1\r\nX-Slow: ");
      await readTwenty(own);
      const grown = ownMemoryBytes() - before;
      console.log(`${idle.length} idle connections: ${Math.round(grown / idle.length / 1_024)} KiB each.`);
      expect(idle.filter((socket) => socket.readyState === "open").length).toBe(idle.length);
      expect(grown).toBeLessThan(idle.length * 30 * 1_024);
    },
  );

  test("in the middle of a request's head are cut off, with an answer", async () => {
    expect(await dribble(open(), "POST /api/v1/flows HTTP/1.1\r\nX-Slow: ")).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("whose request cannot be read are closed, though the client does not close them", async () => {
    const socket = connect({ port: Number(address.port), host: address.hostname, allowHalfOpen: true });
    expect(await dribble(socket, "nonsense\r\n\r\n", true)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("in the middle of a body are cut off too", async () => {
    // The real server with shorter timeouts.
    const server = createHttpServer({
      ...patience,
      requestTimeout: 800,
      headersTimeout: 400,
      connectionsCheckingInterval: 50,
    });
    server.on("request", (request, response) => request.resume().on("end", () => response.end("all")));
    server.listen(0);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n";
    expect(await dribble(connect(port), head)).toMatch(/^HTTP\/1\.1 408 /);
    expect(patience.requestTimeout).toBeLessThanOrEqual(120_000);
    server.close();
  });
});

describe.skipIf(dataDir === undefined)("another workspace", () => {
  let flooder: Tenant;
  beforeAll(async () => {
    flooder = await newTenant("Flooder");
  });
  const theirs = <Data = unknown>(path: string, body: object) => post<Data>(path, body, { key: flooder.key });

  test("evaluating hostile expressions does not delay this one", async () => {
    let pending = 0;
    const evaluate = async (expression: string) => {
      for (let turn = 0; turn < 3; turn += 1) {
        const answer = await theirs<{ ok: boolean }>("/expressions/evaluate", { expression });
        expect([answer.status, answer.data.ok]).toEqual([200, false]);
      }
      pending -= 1;
    };
    const hostile = endlessExpressions.map(evaluate);
    pending = hostile.length;
    let besides = 0;
    while (pending > 0) {
      expect((await get("/flows?limit=1")).status).toBe(200);
      besides += 1;
    }
    await Promise.all(hostile);
    // An expression that blocked the server's thread would let one call through at its end, and there are three of
    // each.
    expect(besides).toBeGreaterThan(3 * endlessExpressions.length);
  });

  test("leaving its answers unread does not delay this one, nor fill the memory", async () => {
    const nodes = [{ id: "t", type: "transform", config: { transform: "1" } }];
    const flow = await theirs<{ id: string }>("/flows", { name: "Large", trigger: { type: "manual" }, nodes });
    const large = { async: false, data: { text: "x".repeat(mebibyte - 1_000) } };
    // A list of them has more than the kernel keeps for a client.
    for (let run = 0; run < 20; run += 1) {
      expect((await theirs(`/flows/${flow.data.id}/execute`, large)).status).toBe(200);
    }
    const unread = Array.from({ length: 40 }, () => open());
    const call = `GET /api/v1/executions?limit=20 HTTP/1.1\r\nHost: ${address.host}\r\nAuthorization: Bearer ${flooder.key}\r\n\r\n`;
    // On one connection too, none of them waiting for its answer.
    for (const socket of unread) socket.on("error", () => {}).write(call.repeat(20));
    const answered = () => unread.filter(({ bytesRead }) => bytesRead > 0).length;
    await eventually("as many are answered as may be at once", () => (answered() >= 8 ? true : undefined));
    const next = get("/flows?limit=1", { key: flooder.key });
    await readTwenty();
    expect(answered()).toBe(8);
    for (const socket of unread) socket.destroy();
    expect((await next).status).toBe(200);
  });

  test("flooding the queue does not starve this one", async () => {
    const slow = {
      name: "Slow",
      trigger: { type: "manual" },
      nodes: [
        {
          id: "w",
          type: "code",
          config: { code: "const end = Date.now() + 150; while (Date.now() < end); return 1;" },
        },
      ],
    };
    const { data: flood } = await theirs<{ id: string }>("/flows", slow);
    const starts = await Promise.all(
      Array.from({ length: 200 }, () => theirs(`/flows/${flood.id}/execute`, { data: {} })),
    );
    expect(starts.every(({ status }) => status === 202 || status === 503)).toBe(true);
    const own = await post<{ id: string }>("/flows", {
      name: "Quick",
      trigger: { type: "manual" },
      nodes: [{ id: "t", type: "transform", config: { transform: "1" } }],
    });
    const { data } = await post<{ executionId: string }>(`/flows/${own.data.id}/execute`, { data: {} });
    await eventually("the quick run ends", async () => {
      const { status } = (await get<{ status: string }>(`/executions/${data.executionId}`)).data;
      return status === "completed" ? true : undefined;
    });
    const left = await get<unknown[]>("/executions?status=pending&limit=1", { key: flooder.key });
    expect(left.pagination.total, "runs of the flood that still wait").toBeGreaterThan(0);
    await fetch(`${baseUrl()}/api/v1/flows/${flood.id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${flooder.key}` },
    });
  });
});

test("a flow that calls itself twice ends", async () => {
  const made = await post<{ id: string; trigger: { config: { url: string } } }>("/flows", {
    name: "Ouroboros",
    trigger: { type: "webhook" },
    nodes: [],
  });
  const { id, trigger } = made.data;
  const call = (node: string) => ({
    id: node,
    type: "http-request",
    config: { method: "POST", url: trigger.config.url },
  });
  await fetch(`${baseUrl()}/api/v1/flows/${id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey()}`, "content-type": "application/json" },
    body: JSON.stringify({ nodes: [call("a"), call("b")] }),
  });
  await fetch(trigger.config.url, { method: "POST", body: "{}" });
  const total = async () => (await get<unknown[]>(`/executions?flowId=${id}&limit=1`)).pagination.total;
  const running = async () =>
    (await get<unknown[]>(`/executions?flowId=${id}&status=running&limit=1`)).pagination.total;
  await eventually("every run has ended", async () => ((await running()) === 0 ? true : undefined));
  // At most six levels, each twice as wide as the previous one.
  expect(await total()).toBeLessThanOrEqual(2 ** 7 - 1);
  expect(await total()).toBeGreaterThan(2);
});

afterAll(async () => {
  expect((await fetch(`${baseUrl()}/api/health`)).status).toBe(200);
});
