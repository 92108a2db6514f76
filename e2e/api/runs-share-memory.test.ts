// Runs that keep far more than fits into the heap at once take turns: none ends the process, and other calls are answered.
// The same for what starts them.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { edge, node, type TestExecution, transform } from "#e2e/support/flows.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";

/** 5 MB of JSON, which take 100 MB as a value. */
const answer = `[${"{},".repeat(1_666_666).slice(0, -1)}]`;

/** Serves a text as JSON until the test ends; returns its URL. */
async function serve(json: string): Promise<string> {
  const target = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(json);
  });
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  onTestFinished(() => void target.close());
  return `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
}

const ended = (client: ServerClient, id: string) =>
  eventually(
    `the run ${id} ends`,
    async () => {
      const { status, data } = await client.call<TestExecution>("GET", `/executions/${id}`);
      expect(status).toBe(200);
      return data.completedAt === null ? undefined : data;
    },
    150_000,
  );

test("six runs of four large answers each end in a server with a gigabyte of heap", async () => {
  const url = await serve(answer);
  const server = await startServer({ env: { NODE_OPTIONS: "--max-old-space-size=1024" } });
  try {
    const client = new ServerClient(server);
    const calls = ["a", "b", "c", "d"].map((id) => node(id, "http-request", { url }));
    const flow = await client.createFlow(
      [...calls, transform("last", "$trigger.body.number")],
      [edge("a", "b"), edge("b", "c"), edge("c", "d"), edge("d", "last")],
    );
    const ids = await Promise.all([0, 1, 2, 3, 4, 5].map((number) => client.start(flow, { number })));
    for (const [number, id] of ids.entries()) {
      const run = await ended(client, id);
      expect(run, JSON.stringify(run.error)).toMatchObject({ status: "completed", output: number });
    }
    expect(server.logs()).not.toContain("heap");
  } finally {
    await server.stop();
  }
});

test("forty runs that loop over dense lists at the same time all end in a server with 384 MiB of heap", async () => {
  const count = 40;
  const server = await startServer({ env: { NODE_OPTIONS: "--max-old-space-size=384" } });
  try {
    const client = new ServerClient(server);
    const loop = node("loop", "loop", {
      items: "$trigger.body.lists",
      body: {
        nodes: [node("pause", "delay", { ms: 2_000 }), transform("size", "$item.length + $index")],
        edges: [edge("pause", "size")],
      },
    });
    const flow = await client.createFlow([loop]);
    // 1 MB of JSON, which takes 20 MB as a value.
    const lists = Array.from({ length: 10 }, () => Array.from({ length: 33_000 }, () => ({})));
    const ids: string[] = [];
    for (let run = 0; run < count; run += 1) ids.push(await client.start(flow, { lists }));
    const sizes = Array.from({ length: 10 }, (_, index) => 33_000 + index);
    for (const id of ids) {
      const run = await ended(client, id);
      expect(run, JSON.stringify(run.error)).toMatchObject({ status: "completed", output: sizes });
    }
    expect(server.logs()).not.toContain("heap");
  } finally {
    await server.stop();
  }
});

type Started = { readonly id: string; readonly trigger: { readonly config: { readonly url: string } } };
/** Calls a flow's trigger URL, or runs it by the API; returns the status and the run's output. */
const byUrl = async (server: RunningServer, { trigger }: Started, data: string) => {
  const { pathname } = new URL(trigger.config.url);
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.url}${pathname}`, { method: "POST", headers, body: data });
  return [response.status, await response.json()];
};
const byApi = async (server: RunningServer, { id }: Started, data: string) => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${server.apiKey}` };
  const body = `{"async":false,"data":${data}}`;
  const response = await fetch(`${server.url}/api/v1/flows/${id}/execute`, { method: "POST", headers, body });
  return [response.status, (await response.json()).data?.output];
};

/** Sends the text as a form's field; returns the status, and the text's length as the flow found it. */
const byForm = async (server: RunningServer, { trigger }: Started, data: string) => {
  const { pathname } = new URL(trigger.config.url);
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const body = `--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n${data}\r\n--b--\r\n`;
  const response = await fetch(`${server.url}${pathname}`, { method: "POST", headers, body });
  return [response.status, response.status === 503 ? null : (await response.json()).length];
};

test("150 forms of a megabyte at the same time do not end a server with 384 MiB of heap", async () => {
  const server = await startServer({ env: { NODE_OPTIONS: "--max-old-space-size=384" } });
  try {
    const client = new ServerClient(server);
    const nodes = [
      node("pause", "delay", { ms: 10_000 }),
      transform("size", "({ length: $trigger.body.text.length })"),
    ];
    const trigger = { type: "webhook" };
    const flow = { name: "Test", status: "active", trigger, nodes, edges: [edge("pause", "size")] };
    const { data } = await client.call<Started>("POST", "/flows", flow);
    const answers = await Promise.all(Array.from({ length: 150 }, () => byForm(server, data, "y".repeat(1_000_000))));
    const answered = answers.filter(([status]) => status !== 503);
    expect(answered.length).toBeGreaterThan(10);
    expect(answered).toEqual(answered.map(() => [200, 1_000_000]));
    expect((await client.call("GET", "/flows")).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test.each([
  ["20 calls of a mebibyte", 20, 1_040_000, byUrl],
  ["250 calls of 50 kB", 250, 50_000, byUrl],
  ["20 executions of a mebibyte", 20, 1_040_000, byApi],
])(
  "%s that a flow works on at the same time are answered by a server with 384 MiB of heap",
  async (_, count, bytes, start) => {
    const server = await startServer({ env: { NODE_OPTIONS: "--max-old-space-size=384" } });
    try {
      const client = new ServerClient(server);
      const nodes = [node("pause", "delay", { ms: 3_000 }), transform("size", "$trigger.body.list.length")];
      const flow = {
        name: "Test",
        status: "active",
        trigger: { type: "webhook" },
        nodes,
        edges: [edge("pause", "size")],
      };
      const { data } = await client.call<Started>("POST", "/flows", flow);
      const items = Math.floor(bytes / 3);
      const json = `{"list":[${"{},".repeat(items).slice(0, -1)}]}`;
      const answers = await Promise.all(Array.from({ length: count }, () => start(server, data, json)));
      expect(answers).toEqual(Array.from({ length: count }, () => [200, items]));
    } finally {
      await server.stop();
    }
  },
);
