import { expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { admitIdentity, type OutsideIdentity } from "./new-user.ts";

let count = 0;
inOwnDatabase();

const someone = (overrides: Partial<OutsideIdentity> = {}): OutsideIdentity => {
  count += 1;
  return {
    provider: "github",
    accountId: `${count}`,
    verifiedEmail: `p${count}@example.com`,
    name: "Ann",
    ...overrides,
  };
};

async function account(email: string): Promise<string> {
  const id = newId("user");
  await database().user.create({ data: { id, email, name: "Ann", passwordHash: "x" } });
  return id;
}

async function invite(email: string, expiresAt = new Date(Date.now() + 60_000)): Promise<string> {
  const workspaceId = newId("workspace");
  await database().workspace.create({ data: { id: workspaceId, name: "Mill", tier: "free" } });
  const columns = { role: "editor", tokenHash: newId("key"), invitedBy: "Ada", expiresAt };
  await database().invitation.create({ data: { id: newId("invitation"), workspaceId, email, ...columns } });
  return workspaceId;
}

test("a person invited at the provider's verified address is admitted permanently", async () => {
  const identity = someone();
  const workspaceId = await invite(identity.verifiedEmail ?? "");
  const admitted = await admitIdentity(identity, null);
  expect(admitted).toEqual({ userId: expect.stringMatching(/^user_/) });
  expect(await database().membership.findMany({ where: { workspaceId } })).toMatchObject([{ role: "editor" }]);
  expect(await database().invitation.count({ where: { workspaceId } })).toBe(0);
  expect(await admitIdentity({ ...identity, verifiedEmail: null }, null)).toEqual(admitted);
});

test("nobody else is: without an invitation, with an expired one, or by an unverified address", async () => {
  const [expired, unverified] = [someone(), someone()];
  await invite(expired.verifiedEmail ?? "", new Date(Date.now() - 1));
  await invite(unverified.verifiedEmail ?? "");
  expect(await admitIdentity(someone(), null)).toBe("NotInvited");
  expect(await admitIdentity(expired, null)).toBe("NotInvited");
  expect(await admitIdentity({ ...unverified, verifiedEmail: null }, null)).toBe("NotInvited");
  expect(await admitIdentity(someone({ verifiedEmail: "a@example.com,b@example.com" }), null)).toBe("NotInvited");
});

test("an address with an account is connected only by its signed-in owner", async () => {
  const identity = someone();
  const userId = await account(identity.verifiedEmail ?? "");
  await invite(identity.verifiedEmail ?? "");
  expect(await admitIdentity(identity, null)).toBe("ConnectFirst");
  expect(await admitIdentity(identity, userId)).toEqual({ userId });
  expect(await admitIdentity(identity, null)).toEqual({ userId });
  const other = await account("other@example.com");
  expect(await admitIdentity(identity, other)).toBe("ConnectedToOther");
});
