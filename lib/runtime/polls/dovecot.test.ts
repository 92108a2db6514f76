// The trigger `mail` with a real IMAP server, Dovecot.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Dovecot, startDovecot } from "#e2e/support/dovecot.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createCredential } from "#lib/credentials/credentials.ts";
import { testCredential } from "#lib/credentials/test-credential.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { pollState } from "#lib/flows/polls/stored-poll.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import type { MailBody } from "#lib/polls/mail/read-mail.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { pollDue } from "./polls.ts";

let dovecot: Dovecot | null;
let actor: Actor;

inOwnDatabase();
beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1,localhost";
  dovecot = await startDovecot();
});
beforeEach(async () => {
  actor = await newActor();
  await queryPlanned("DELETE FROM flow_poll", []);
});
afterAll(async () => {
  await outsideWorld().outbound.close();
  await dovecot?.stop();
});

async function account({ port, securePort, username, password }: Dovecot, data: object = {}) {
  const isSecure = "security" in data && data.security === "tls";
  const given = {
    host: "localhost",
    port: isSecure ? securePort : port,
    security: "none",
    username,
    password,
    ...data,
  };
  return await createCredential(actor, { name: "box", type: "imap", data: given } as never);
}
async function watching(config: object = {}): Promise<string> {
  const trigger = { type: "mail" as const, config: { credential: "box", everyMs: 30_000, ...config } };
  const given = { name: "Mails", status: "active" as const, tags: [], variables: {}, nodes: [], edges: [] };
  return (await createFlow(actor, { ...given, trigger })).id;
}
async function pollAll(): Promise<void> {
  await queryPlanned("UPDATE flow_poll SET next_at = now() - interval '1 second', lease_until = NULL", []);
  await pollDue();
}
async function startedWith(flowId: string): Promise<MailBody[]> {
  const text = "SELECT trigger FROM execution WHERE flow_id = $1 ORDER BY started_at, id";
  const rows = await queryPlanned<{ trigger: string }>(text, [flowId]);
  return rows.map(({ trigger }) => JSON.parse(trigger).body);
}
const subjects = async (id: string) => (await startedWith(id)).map(({ subject }) => subject);
const mail = (subject: string) => `From: Ann <ann@example.com>\r\nSubject: ${subject}\r\n\r\nHello ${subject}\r\n`;

// Proves triggers.mail
test("a run for each new mail, which is marked as read, also after the mailbox got other numbers", async (context) => {
  if (dovecot === null) return context.skip("Dovecot is not installed");
  await account(dovecot);
  dovecot.deliver(mail("before"));
  const id = await watching({ markSeen: true });
  await pollAll();
  dovecot.deliver(mail("one"));
  dovecot.deliver(mail("two"));
  await pollAll();
  await pollAll();
  expect(await subjects(id)).toEqual(["one", "two"]);
  expect((await startedWith(id))[0]).toMatchObject({ text: "Hello one\n", from: { address: "ann@example.com" } });
  expect(dovecot.seen()).toBe(2);
  dovecot.renumber(4_711);
  dovecot.deliver(mail("three"));
  await pollAll();
  await pollAll();
  expect(await subjects(id)).toEqual(["one", "two", "three"]);
  expect(await pollState(id)).toMatchObject({ failures: 0, error: null });
});

test("another mailbox, a large attachment, and one that does not exist", async (context) => {
  if (dovecot === null) return context.skip("Dovecot is not installed");
  await account(dovecot);
  const content = `${Buffer.alloc(6_000_000, 7).toString("base64")}\r\n`;
  const part = `Content-Type: image/png\r\nContent-Disposition: attachment; filename=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}`;
  dovecot.deliver(
    `Subject: large\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${part}--b--\r\n`,
    "Orders",
  );
  const id = await watching({ mailbox: "Orders", fromNow: false });
  await pollAll();
  expect((await startedWith(id))[0]?.attachments).toMatchObject([{ name: "a.png", size: 6_000_000 }]);
  const none = await watching({ mailbox: "Nowhere" });
  await pollAll();
  expect((await pollState(none))?.error).toContain('refused to open the mailbox "Nowhere"');
});

test("with TLS, by STARTTLS and implicit, if the certificate is valid", async (context) => {
  if (dovecot === null || dovecot.ca === null) return context.skip("Dovecot or openssl is not installed");
  const { ca } = dovecot;
  for (const security of ["starttls", "tls"]) {
    const tried = async (data: object) => {
      actor = await newActor();
      const { id } = await account(dovecot as Dovecot, { security, ...data });
      return await testCredential(actor, id, null, outsideWorld().outbound);
    };
    expect(await tried({ ca })).toEqual({ ok: true, message: "localhost accepted the user name and password." });
    expect(await tried({})).toMatchObject({ ok: false, message: expect.stringContaining("No secure connection") });
    expect(await tried({ ca, host: "127.0.0.1" })).toMatchObject({ ok: false });
    expect(await tried({ ca, password: "wrong-sesame" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("did not accept the user name and password"),
    });
  }
});
