// Mails that flows send, through a real connection to a local mail server.
import { expect, onTestFinished, test } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { createFlow, ended, execute, node, outputOf, readExecution } from "#e2e/support/flows.ts";
import { openMailbox } from "#e2e/support/mailbox.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";

inOwnWorkspace("Mails");

const mail = { to: "{{ $trigger.body.to }}", subject: "Order {{ $trigger.body.n }}", text: "It is on its way." };

async function mailbox(...given: Parameters<typeof openMailbox>) {
  const box = await openMailbox(...given);
  onTestFinished(() => box.close());
  const port = Number(new URL(box.url).port);
  const name = `mailbox${port}`;
  const data = { host: "127.0.0.1", port, security: "none", from: "Shop <shop@shop.example>", username: "shop" };
  const answer = await post("/credentials", { name, type: "smtp", data: { ...data, password: "open-sesame" } });
  expect(answer.status, answer.text).toBe(201);
  return { ...box, name };
}
const messageIds = (box: { mails: readonly { text: string }[] }) =>
  box.mails.map(({ text }) => /^Message-ID: (\S+)/im.exec(text)?.[1]);

// Proves nodes.send-mail
test("a flow sends a mail, and outputs the server's answer", async () => {
  const box = await mailbox();
  const flow = await createFlow({ nodes: [node("send", "send-mail", { ...mail, credential: box.name })] });
  const run = await execute(flow.id, { to: ["Ann <ann@example.com>", "bob@example.com"], n: 7 });
  expect(outputOf(run, "send")).toEqual({
    messageId: messageIds(box)[0],
    accepted: ["ann@example.com", "bob@example.com"],
    rejected: [],
  });
  expect(box.mails[0]?.text).toMatch(/Subject: Order 7/);
  expect(box.mails[0]?.text).toMatch(/From: Shop <shop@shop.example>/);
});

// Proves nodes.send-mail-once
test("the retry of a failed run sends the same Message-ID, that of a completed one another", async () => {
  const box = await mailbox();
  const nodes = [
    node("send", "send-mail", { ...mail, credential: box.name }),
    node("end", "stop", { status: "failed" }),
  ];
  const flow = await createFlow({ nodes, edges: [{ source: "send", target: "end" }] });
  const failed = await execute(flow.id, { to: "ann@example.com", n: 1 });
  const again = await post<{ executionId: string }>(`/executions/${failed.executionId}/retry`, {});
  await ended(again.data.executionId);
  const anew = await execute(flow.id, { to: "ann@example.com", n: 1 });
  expect(anew.status).toBe("failed");
  const [first, second, third] = messageIds(box);
  expect([second, third === first]).toEqual([first, false]);
});

test("a server that is busy is asked again, and a refusal fails the node with what it said", async () => {
  let tries = 0;
  const box = await mailbox((command) => {
    if (!/^MAIL/.test(command)) return undefined;
    tries += 1;
    return tries === 1 ? "451 later" : undefined;
  });
  const retry = { maxRetries: 1, retryDelay: 1 };
  const flow = await createFlow({ nodes: [node("send", "send-mail", { ...mail, credential: box.name, retry })] });
  expect((await execute(flow.id, { to: "ann@example.com" })).status).toBe("completed");
  expect(tries).toBe(2);
  const full = await mailbox((command) => (/^RCPT/.test(command) ? "550 mailbox full of open-sesame" : undefined));
  const refusing = await createFlow({ nodes: [node("send", "send-mail", { ...mail, credential: full.name })] });
  const run = await execute(refusing.id, { to: "ann@example.com" });
  expect(run.error).toMatchObject({ code: "MAIL_REFUSED", message: expect.stringContaining("mailbox full of •••") });
});

test.each([
  ["no address", { to: "nobody" }],
  ["a second header", { to: "a@b.c\r\nBcc: eve@example.com" }],
  ["two addresses in one", { to: "a@b.c, eve@example.com" }],
  ["too many", { to: Array(101).fill("a@b.c") }],
  ["U+0000", { to: "a\u0000@b.c" }],
])("%s as a recipient sends nothing", async (_, data) => {
  const box = await mailbox();
  const flow = await createFlow({ nodes: [node("send", "send-mail", { ...mail, credential: box.name })] });
  const run = await execute(flow.id, data);
  expect([run.status, run.error?.nodeId, box.mails.length]).toEqual(["failed", "send", 0]);
});

test("a mail needs a server: a credential of type smtp, or the service's own", async () => {
  const without = await createFlow({ nodes: [node("send", "send-mail", mail)] });
  expect((await execute(without.id, { to: "a@b.c" })).error?.code).toBe("MAIL_NOT_CONFIGURED");
  await post("/credentials", { name: "token", type: "bearer", data: { token: "a-token" } });
  const wrong = await createFlow({ nodes: [node("send", "send-mail", { ...mail, credential: "token" })] });
  expect((await execute(wrong.id, { to: "a@b.c" })).error?.code).toBe("CREDENTIAL_TYPE");
  const box = await mailbox();
  const answer = await post("/credentials", {
    name: "bound",
    type: "smtp",
    data: { host: "127.0.0.1", port: 25, from: "a@b.c" },
    allowedHosts: ["smtp.example.com"],
  });
  expect(answer.status).toBe(201);
  const bound = await createFlow({ nodes: [node("send", "send-mail", { ...mail, credential: "bound" })] });
  const run = await execute(bound.id, { to: "a@b.c" });
  expect([run.error?.code, box.mails.length]).toEqual(["CREDENTIAL_HOST", 0]);
  const stored = await readExecution(run.executionId);
  expect(JSON.stringify(stored)).not.toContain("open-sesame");
  expect((await get("/credentials")).text).not.toContain("open-sesame");
});
