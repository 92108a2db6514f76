import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
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
