// A server is killed while runs wait, loop and run other flows: they continue where they were.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { send } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { edge, node, transform } from "#e2e/support/flows.ts";
import { callsByKey } from "#e2e/support/held-requests.ts";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { openWait } from "#e2e/support/open-wait.ts";
import { databaseStopped, freePort, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { removeFilesOf } from "#lib/platform/embedded-postgres/cluster.ts";

const items = Array.from({ length: 40 }, (_, index) => index);
/** Loop calls answered before the server is killed; the next four are open then. */
const answeredFirst = 17;
const atOnce = 4;

test("a loop repeats no recorded call, a wait takes its call, a delay keeps its time, a sub-flow stays one", async () => {
  let isKilled = false;
  const loopCalls = (url: string) => url.startsWith("/item");
  let looped = 0;
  const sink = await countingServer((_, { url }) => {
    if (isKilled) return { body: { url } };
    if (!loopCalls(url)) return "hold";
    looped += 1;
    return looped > answeredFirst ? "hold" : { body: { url } };
  });
  const dataDir = dataDirectory();
  const env = { PORT: `${await freePort()}` };
  const server = await startServer({ dataDir, env });
  const before = new ServerClient(server);

  const call = node("call", "http-request", { method: "POST", url: `${sink.url}/item/{{ $item }}` });
  const body = { nodes: [call, transform("at", "$node.output.body.url")], edges: [edge("call", "at")] };
  const loop = await before.start(
    await before.createFlow([node("loop", "loop", { items: "$trigger.body.items", concurrency: atOnce, body })]),
    { items },
  );
  const nodes = [transform("url", "$resume.answer"), node("answer", "wait")];
  const waiting = await before.start(await before.createFlow(nodes, [edge("url", "answer")]));
  const delayed = await before.start(
    await before.createFlow([node("pause", "delay", { ms: 6_000 }), transform("on", "'on'")], [edge("pause", "on")]),
  );
  const child = await before.createFlow([node("call", "http-request", { method: "POST", url: `${sink.url}/child` })]);
  const parent = await before.start(await before.createFlow([node("sub", "sub-flow", { flowId: child })]));

  await sink.until(answeredFirst + atOnce + 1);
  const url = await openWait("answer", () => before.read(waiting));
  await server.kill();
  isKilled = true;
  const early = callsByKey(sink.received);

  const again = await startServer({ dataDir, env: { ...env, BOOTSTRAP_API_KEY: server.apiKey } });
  try {
    const after = new ServerClient({ url: again.url, apiKey: server.apiKey });
    expect(
      (await send("POST", "", '{"ok":1}', { base: url, key: null, headers: { "content-type": "application/json" } }))
        .status,
    ).toBe(200);
    const [looping, answered, passed, ran] = await after.allEnded([loop, waiting, delayed, parent], 40_000);
    expect(looping).toMatchObject({ status: "completed", output: items.map((item) => `/item/${item}`) });
    expect(answered).toMatchObject({ status: "completed", output: { body: { ok: 1 } } });
    expect(passed).toMatchObject({ status: "completed", output: "on" });
    expect(ran).toMatchObject({ status: "completed", output: { status: "completed" } });
    const children = await after.call<unknown[]>("GET", `/executions?flowId=${child}`);
    expect(children.data).toHaveLength(1);

    const calls = callsByKey(sink.received);
    expect(calls.size).toBe(items.length + 1);
    for (const [key, count] of calls) expect([key, count <= 2]).toEqual([key, true]);
    // Each of the four lanes started its next call only once its last one was recorded as done.
    const repeated = [...calls].filter(([key, count]) => early.has(key) && count > 1);
    expect(repeated.length).toBeLessThanOrEqual(atOnce + 1);
    expect(repeated.length).toBeGreaterThan(0);
  } finally {
    expect(await again.stop()).toBe(0);
    await databaseStopped(dataDir);
    removeFilesOf(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
