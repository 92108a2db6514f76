import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Mailbox, openMailbox } from "#e2e/support/mailbox.ts";
import { createOutbound } from "./outbound.ts";
import type { MailServer } from "./outbound-mail.ts";

const mail = {
  messageId: "<1@shop.example>",
  from: "Shop <shop@shop.example>",
  to: ["Ann <ann@example.com>", "bob@example.com"],
  cc: [],
  bcc: ["eve@example.com"],
  subject: "Grüße = €5",
  text: "It is on its way.",
  html: "<p>It is on its way.</p>",
};

async function mailbox(...given: Parameters<typeof openMailbox>): Promise<Mailbox> {
  const opened = await openMailbox(...given);
  onTestFinished(() => opened.close());
  return opened;
}
const serverOf = ({ url }: Pick<Mailbox, "url">, overrides: Partial<MailServer> = {}): MailServer => ({
  host: "127.0.0.1",
  port: Number(new URL(url).port),
  security: "none",
  ...overrides,
});
const send = (
  server: MailServer,
  { allow = "127.0.0.1", timeoutMs = 5_000, signal = new AbortController().signal } = {},
) => {
  const outbound = createOutbound({ allow });
  onTestFinished(() => outbound.close());
  return outbound.sendMail(server, mail, { timeoutMs, signal });
};

test("a mail reaches all recipients, with its Message-ID, and hides the Bcc", async () => {
  const box = await mailbox();
  const sent = await send(serverOf(box));
  expect(sent).toEqual({
    messageId: "<1@shop.example>",
    accepted: ["ann@example.com", "bob@example.com", "eve@example.com"],
    rejected: [],
  });
  const [received] = box.mails;
  expect(received?.recipients).toEqual(sent.accepted);
  expect(received?.text).toContain("Message-ID: <1@shop.example>");
  expect(received?.text).toContain("<p>It is on its way.</p>");
  expect(received?.text).not.toContain("eve@example.com");
});

test("a large text arrives complete, in an encoding that does not block the event loop", async () => {
  const box = await mailbox();
  const outbound = createOutbound({ allow: "127.0.0.1" });
  onTestFinished(() => outbound.close());
  const text = "wörd ".repeat(100_000);
  const { signal } = new AbortController();
  await outbound.sendMail(serverOf(box), { ...mail, html: undefined, text }, { timeoutMs: 20_000, signal });
  const [head = "", body = ""] = box.mails[0]?.text.split("\r\n\r\n") ?? [];
  expect(head).toContain("Content-Transfer-Encoding: base64");
  expect(Buffer.from(body, "base64").toString()).toBe(text);
});

test("refused recipients are listed separately; the mail fails if none is accepted", async () => {
  const box = await mailbox((command) => (/bob/.test(command) ? "550 no such user" : undefined));
  expect(await send(serverOf(box))).toMatchObject({ rejected: ["bob@example.com"] });
  const none = await mailbox((command) => (/^RCPT/.test(command) ? "550 no such user" : undefined));
  await expect(send(serverOf(none))).rejects.toMatchObject({ name: "MailRefused", isTemporary: false });
});

test("a busy server may accept the mail later", async () => {
  const box = await mailbox((command) => (/^MAIL/.test(command) ? "451 try again later" : undefined));
  await expect(send(serverOf(box))).rejects.toMatchObject({
    name: "MailRefused",
    isTemporary: true,
    message: expect.stringContaining("451 try again later"),
  });
});

test("a refused password is reported without the password", async () => {
  const box = await mailbox((command) => (/^AUTH/.test(command) ? "535 wrong" : undefined));
  const refused = await send(serverOf(box, { username: "shop", password: "pass-word" })).catch((error) => error);
  expect(refused).toMatchObject({ name: "MailRefused", isTemporary: false });
  expect(refused.message).not.toContain("pass-word");
});

test("without the required TLS, neither the password nor the mail is sent", async () => {
  const commands: string[] = [];
  const box = await mailbox((command) => {
    commands.push(command);
    return /^STARTTLS/.test(command) ? "502 not here" : undefined;
  });
  const server = serverOf(box, { security: "starttls", username: "shop", password: "pass-word" });
  await expect(send(server)).rejects.toMatchObject({ code: "TLS" });
  expect(commands.join(" ")).not.toMatch(/AUTH|MAIL/);
  await expect(send(serverOf(box, { security: "tls" }))).rejects.toMatchObject({ code: "TLS" });
});

test("a silent server is abandoned at the deadline, or when the run is cancelled", async () => {
  const box = await mailbox(() => null);
  await expect(send(serverOf(box), { timeoutMs: 50 })).rejects.toMatchObject({ code: "TIMEOUT" });
  const stop = new AbortController();
  const sending = send(serverOf(box), { signal: stop.signal });
  stop.abort();
  await expect(sending).rejects.toMatchObject({ code: "ABORTED" });
});

test("a server that is down or closes the connection is reported", async () => {
  const rude = createServer((socket) => socket.resume().end("220 hello\r\n")).listen(0, "127.0.0.1");
  await once(rude, "listening");
  const { port } = rude.address() as { port: number };
  await expect(send(serverOf({ url: `smtp://x:${port}` }))).rejects.toMatchObject({ name: "OutboundError" });
  rude.close();
  await once(rude, "close");
  await expect(send(serverOf({ url: `smtp://x:${port}` }))).rejects.toMatchObject({ code: "CONNECT_FAILED" });
});

test("the guard applies to mail servers: no private address, no port of another service", async () => {
  const box = await mailbox();
  const blocked = { code: "BLOCKED_ADDRESS" };
  await expect(send(serverOf(box), { allow: "" })).rejects.toMatchObject(blocked);
  await expect(send(serverOf(box, { host: "localhost" }), { allow: "" })).rejects.toMatchObject(blocked);
  await expect(send(serverOf(box, { port: 6379 }))).rejects.toMatchObject(blocked);
  await expect(send(serverOf(box, { port: 587 }))).rejects.toMatchObject({ code: "CONNECT_FAILED" });
  expect(box.mails).toEqual([]);
});
