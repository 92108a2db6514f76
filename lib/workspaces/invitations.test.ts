import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mailbox, openMailbox } from "#e2e/support/mailbox.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { database } from "#lib/platform/database.ts";
import { createInvitation } from "./invitations.ts";

let mailbox: Mailbox;
inOwnDatabase();
beforeAll(async () => {
  mailbox = await openMailbox();
  Object.assign(process.env, { SMTP_URL: mailbox.url, MAIL_FROM: "millrace@example.com" });
});
afterAll(() => mailbox?.close());

async function inviter() {
  const actor = await newActor();
  const id = actor.workspaceId.replace("ws", "key");
  const key = { id, workspaceId: actor.workspaceId, name: "Inviter", hash: id, prefix: "mill", scopes: [] };
  await database().apiKey.create({ data: key });
  return { ...actor, by: { kind: "key", id } as const };
}

test("invitations of one address are mailed three times an hour, however many there are", async () => {
  const actor = await inviter();
  const inviting = Array.from({ length: 6 }, () =>
    createInvitation(actor, { email: "ada@example.com", role: "viewer" }),
  );
  const invited = await Promise.all(inviting);
  expect(invited.filter(({ mailed }) => mailed)).toHaveLength(3);
  expect(mailbox.mails.filter(({ to }) => to === "ada@example.com")).toHaveLength(3);
  expect((await createInvitation(actor, { email: "bob@example.com", role: "viewer" })).mailed).toBe(true);
});

test("one address gets ten invitations an hour by mail, from however many workspaces", async () => {
  const workspaces = await Promise.all(Array.from({ length: 12 }, inviter));
  const invited = await Promise.all(
    workspaces.map((actor) => createInvitation(actor, { email: "eve@example.com", role: "viewer" })),
  );
  expect(invited.filter(({ mailed }) => mailed)).toHaveLength(10);
});

test("a workspace mails 100 invitations an hour", async () => {
  const actor = await inviter();
  await database().$executeRaw`
    INSERT INTO audit_entry (id, workspace_id, actor_kind, actor_id, actor_name, action, subject_type, subject_id, subject_name)
    SELECT 'aud_' || n, ${actor.workspaceId}, 'key', '', '', 'invitation.created', 'invitation', '', n || '@example.com'
    FROM generate_series(1, 99) AS n`;
  const invite = async (email: string) => (await createInvitation(actor, { email, role: "viewer" })).mailed;
  expect([await invite("last@example.com"), await invite("next@example.com")]).toEqual([true, false]);
  await inviter().then(async (other) => {
    expect((await createInvitation(other, { email: "next@example.com", role: "viewer" })).mailed).toBe(true);
  });
});
