// A server that is killed after a mail was taken and before it recorded so sends the same mail again, not another.
import { expect, onTestFinished, test } from "vitest";
import { cuttingProxy } from "#e2e/support/cutting-proxy.ts";
import { openMailbox } from "#e2e/support/mailbox.ts";
import { startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

// Proves nodes.send-mail-once
test("a kill between 'mail sent' and 'recorded' sends it again under the same Message-ID", async () => {
  const database = await createTestDatabase();
  const proxy = await cuttingProxy(database.url);
  onTestFinished(() => proxy.close());
  const box = await openMailbox();
  onTestFinished(() => box.close());

  const env = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "b".repeat(32) };
  const server = await startServer({ env: { ...env, DATABASE_URL: proxy.url } });
  let isKilled = false;
  onTestFinished(() => (isKilled ? undefined : server.kill()));
  const before = new ServerClient(server);
  const data = {
    host: "127.0.0.1",
    port: Number(new URL(box.url).port),
    security: "none",
    from: "Shop <a@shop.example>",
  };
  expect((await before.call("POST", "/credentials", { name: "mailbox", type: "smtp", data })).status).toBe(201);
  const config = { to: "ann@example.com", subject: "Order", text: "It is on its way.", credential: "mailbox" };
  const flowId = await before.createFlow([{ id: "send", type: "send-mail", config }]);
  // Whatever would store what the mail server said does not reach the database.
  const isHeld = proxy.hold({ contains: ["accepted", "ann@example.com"], side: "before" });
  const id = await before.start(flowId);
  await isHeld;
  expect(box.mails).toHaveLength(1);
  await server.kill();
  isKilled = true;

  const again = await startServer({ env: { ...env, DATABASE_URL: database.url } });
  onTestFinished(async () => void (await again.stop()));
  const run = await new ServerClient({ url: again.url, apiKey: server.apiKey }).ended(id, 120_000);
  expect(run.status).toBe("completed");
  const ids = box.mails.map(({ text }) => /^Message-ID: (\S+)/im.exec(text)?.[1]);
  expect(ids).toEqual([expect.stringMatching(/@shop\.example>$/), ids[0]]);
  expect(run.nodes[0]?.output).toMatchObject({ messageId: ids[0] });
});
