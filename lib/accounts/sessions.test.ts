import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { startSession } from "#lib/auth/session.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { endOtherSessions } from "./sessions.ts";

inOwnDatabase();

test("all other sessions end, however many there are, each with its entry in the audit log", async () => {
  const [userId, sessionId] = [newId("user"), newId("session")];
  await database().user.create({ data: { id: userId, email: "ann@example.com", name: "Ann", passwordHash: "x" } });
  const ids = [sessionId, ...Array.from({ length: 250 }, () => newId("session"))];
  const expiresAt = new Date(Date.now() + 3_600_000);
  await database().session.createMany({ data: ids.map((id) => ({ id, userId, method: "password", expiresAt })) });
  const actor = { ...(await newActor()), by: { kind: "user", id: userId, role: "owner", sessionId } as const };
  expect(await endOtherSessions(actor)).toEqual({ ended: 250 });
  expect(await database().session.findMany({ where: { userId }, select: { id: true } })).toEqual([{ id: sessionId }]);
  expect(await database().auditEntry.count({ where: { workspaceId: actor.workspaceId } })).toBe(250);
});

test("the one used longest ago ends when there are too many", async () => {
  const [userId, others] = [newId("user"), newId("user")];
  for (const id of [userId, others])
    await database().user.create({ data: { id, email: `${id}@example.com`, name: "Bo", passwordHash: "x" } });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const ids = Array.from({ length: 101 }, () => newId("session"));
  const seen = (index: number) => new Date(Date.now() - 1_000 * (101 - index));
  const rows = ids.map((id, index) => ({ id, userId, method: "password", expiresAt, lastSeenAt: seen(index) }));
  await database().session.createMany({
    data: [...rows, { ...rows[0], id: newId("session"), userId: others } as never],
  });
  const id = await startSession({ userId, method: "password", ip: null, userAgent: null });
  const left = await database().session.findMany({ where: { userId }, select: { id: true } });
  expect(left.map((session) => session.id).sort()).toEqual([...ids.slice(2), id].sort());
  expect(await database().session.count({ where: { userId: others } })).toBe(1);
});
