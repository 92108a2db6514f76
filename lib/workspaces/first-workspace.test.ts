import { beforeAll, expect, test, vi } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { hasFirstWorkspace } from "#lib/auth/first-workspace.ts";
import { database, pool } from "#lib/platform/database.ts";
import { admitIdentity, signUp } from "./new-user.ts";
import { bootstrapWorkspace, needsSetUp, setUpWorkspace } from "./set-up-workspace.ts";

inOwnDatabase();
beforeAll(async () => {
  Object.assign(process.env, {
    BOOTSTRAP_EMAIL: "owner@example.com",
    BOOTSTRAP_PASSWORD: "a long password",
    BOOTSTRAP_API_KEY: "k".repeat(32),
    SIGN_UP: "open",
  });
});

test("with BOOTSTRAP_EMAIL the browser's set-up never opens", async () => {
  expect(await needsSetUp()).toBe(false);
  const stranger = { name: "Eve", email: "eve@example.com", password: "a long password", workspaceName: "Mine" };
  await expect(setUpWorkspace(stranger, null)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await database().workspace.count()).toBe(0);
});

test("nobody can sign up before the first workspace exists", async () => {
  const stranger = { name: "Eve", email: "eve@example.com", password: "a long password", workspaceName: "Mine" };
  await expect(signUp(stranger, null)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const identity = { provider: "github", accountId: "1", verifiedEmail: stranger.email, name: "Eve" } as const;
  await expect(admitIdentity(identity, null)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(await database().user.count()).toBe(0);
});

test("creating the first workspace is retried until it succeeds", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  const transaction = vi.spyOn(database(), "$transaction");
  const refused = new Error("Unable to start a transaction in the given time");
  transaction.mockRejectedValueOnce(refused).mockRejectedValueOnce(refused);
  const made = bootstrapWorkspace();
  expect(hasFirstWorkspace()).toBe(false);
  await made;
  expect(hasFirstWorkspace()).toBe(true);
  expect(transaction).toHaveBeenCalledTimes(3);
  const { rows } = await pool().query('SELECT role FROM membership JOIN "user" ON "user".id = membership.user_id');
  expect(rows).toEqual([{ role: "owner" }]);
  await bootstrapWorkspace();
  expect(await database().workspace.count()).toBe(1);
});
