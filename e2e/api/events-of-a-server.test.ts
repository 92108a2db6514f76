// Needs a separate server: it is killed, or its runs keep starting others.
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { call } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { transform } from "#e2e/support/flows.ts";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { startServer } from "#e2e/support/server.ts";
import { eventOf, everyEvent } from "#e2e/support/webhooks.ts";

// Proves events.at-least-once
it("a killed server loses no event", async () => {
  const dataDir = dataDirectory();
  const receiver = await countingServer((index) => (index < 2 ? "hold" : {}));
  const first = await startServer({ dataDir });
  const options = { key: first.apiKey, base: `${first.url}/api/v1` };
  const subscribed = await call("POST", "/webhooks", { url: receiver.url, events: everyEvent }, options);
  expect(subscribed.status).toBe(201);
  const fields = { name: "Test", trigger: { type: "manual" }, nodes: [transform("a", "1")] };
  const flow = await call<{ id: string }>("POST", "/flows", fields, options);
  const runs = await Promise.all(
    Array.from({ length: 10 }, () =>
      call<{ executionId: string }>("POST", `/flows/${flow.data.id}/execute`, { async: false }, options),
    ),
  );
  await receiver.until(2);
  await first.kill();
  const second = await startServer({ dataDir, env: { BOOTSTRAP_API_KEY: first.apiKey } });
  try {
    const seen = () => new Set(receiver.received.map(eventOf).map(({ event, data }) => `${data.executionId} ${event}`));
    await eventually("all events arrive", () => (seen().size === 20 ? true : undefined), 50_000);
    for (const { data } of runs) {
      const own = receiver.received.map(eventOf).filter((event) => event.data.executionId === data.executionId);
      expect(own.at(-1)?.event).toBe("execution.completed");
    }
  } finally {
    await second.stop();
  }
});

it("a flow that the workspace's own events start ends eventually", async () => {
  const server = await startServer();
  try {
    const options = { key: server.apiKey, base: `${server.url}/api/v1` };
    const fields = { name: "On completed", trigger: { type: "webhook" }, nodes: [transform("a", "1")] };
    const { data: flow } = await call<{ id: string; trigger: { config: { url: string } } }>(
      "POST",
      "/flows",
      fields,
      options,
    );
    const { url } = flow.trigger.config;
    await call("POST", "/webhooks", { url, events: ["execution.completed"] }, options);
    expect((await call("POST", `/flows/${flow.id}/execute`, { async: false }, options)).status).toBe(200);
    const runs = async () => (await call("GET", "/executions", undefined, options)).pagination.total;
    await eventually("its events start it", async () => ((await runs()) === 6 ? true : undefined));
    await pause(2_000);
    expect(await runs()).toBe(6);
  } finally {
    await server.stop();
  }
});
