import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { createWorkspace, switchWorkspace, updateWorkspace } from "./workspaces.ts";

inOwnDatabase();

/** The owner of many workspaces, whose names all sort before "z". */
async function ownerOf(count: number): Promise<Actor> {
  const userId = newId("user");
  await database().user.create({
    data: { id: userId, email: `${userId}@example.com`, name: "Ann", passwordHash: "x" },
  });
  const ids = Array.from({ length: count }, () => newId("workspace"));
  await database().workspace.createMany({ data: ids.map((id) => ({ id, name: "Mill", tier: "free" })) });
  const data = ids.map((workspaceId) => ({ workspaceId, userId, role: "owner" }));
  await database().membership.createMany({ data });
  const by = { kind: "user", id: userId, role: "owner", sessionId: newId("session") } as const;
  return { ...(await newActor()), workspaceId: ids[0] ?? "", by };
}

test("a person owns at most a thousand workspaces", async () => {
  const owner = await ownerOf(999);
  const made = await Promise.allSettled([createWorkspace(owner, { name: "a" }), createWorkspace(owner, { name: "b" })]);
  expect(made.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(createWorkspace(owner, { name: "c" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: { name: expect.stringContaining("at most 1,000 workspaces") },
  });
});

test("a person may have more workspaces than the list shows", async () => {
  const owner = await ownerOf(501);
  const made = await createWorkspace(owner, { name: "z" });
  expect(made).toMatchObject({ name: "z", role: "owner", current: true });
  expect(await switchWorkspace(owner, made.id)).toEqual(made);
  const renamed = await updateWorkspace({ ...owner, workspaceId: made.id }, made.id, { name: "zz" });
  expect(renamed).toEqual({ ...made, name: "zz" });
});
