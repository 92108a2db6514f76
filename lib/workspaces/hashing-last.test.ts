// Hashing a password takes a core for a while: it comes last, after every cheaper check.
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { resetPassword } from "#lib/accounts/reset-password.ts";
import { hashOfToken, newOneTimeToken } from "#lib/auth/one-time-token.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { acceptAsNewUser } from "./accept-invitation.ts";
import { signUp } from "./new-user.ts";
import { setUpWorkspace } from "./set-up-workspace.ts";

/** `held`: no hash ends before this resolves. */
const hashing = vi.hoisted(() => ({ count: 0, atOnce: 0, most: 0, held: Promise.resolve() }));
vi.mock("@node-rs/argon2", () => ({
  hash: async () => {
    hashing.count += 1;
    hashing.atOnce += 1;
    hashing.most = Math.max(hashing.most, hashing.atOnce);
    await hashing.held;
    await new Promise(setImmediate);
    hashing.atOnce -= 1;
    return "hashed";
  },
  verify: async () => false,
}));

inOwnDatabase();
beforeAll(async () => {
  Object.assign(process.env, { SIGN_UP: "open" });
});
beforeEach(() => Object.assign(hashing, { count: 0, most: 0 }));

let people = 0;
const person = (overrides: object = {}) => {
  people += 1;
  return {
    name: "Eve",
    email: `eve${people}@example.com`,
    password: "a long password",
    workspaceName: "Mine",
    ...overrides,
  };
};

async function invitation(email: string): Promise<string> {
  const token = newOneTimeToken();
  const workspace = await database().workspace.findFirstOrThrow();
  const expiresAt = new Date(Date.now() + 60_000);
  const tokenHash = hashOfToken(token);
  await database().invitation.create({
    data: {
      id: newId("invitation"),
      workspaceId: workspace.id,
      email,
      role: "viewer",
      tokenHash,
      expiresAt,
      invitedBy: "Ann",
    },
  });
  return token;
}

describe("nothing is hashed", () => {
  test("for invalid input, a service that is already set up, a taken address, an unknown token", async () => {
    const taken = person();
    await setUpWorkspace(taken, null);
    expect(hashing.count).toBe(1);
    const unused = newOneTimeToken();
    const invited = await invitation(taken.email);
    const refused: [() => Promise<unknown>, string][] = [
      [() => setUpWorkspace(person({ password: "short" }), null), "VALIDATION_ERROR"],
      [() => setUpWorkspace(person(), null), "CONFLICT"],
      [() => signUp(person({ email: "no address" }), null), "VALIDATION_ERROR"],
      [() => signUp(person({ email: taken.email }), null), "CONFLICT"],
      [() => acceptAsNewUser(unused, person(), null), "NOT_FOUND"],
      [() => acceptAsNewUser(invited, person(), null), "CONFLICT"],
      [() => resetPassword(unused, "long enough", null), "NOT_FOUND"],
    ];
    for (const [attempt, code] of refused) await expect(attempt()).rejects.toMatchObject({ code });
    expect(hashing.count).toBe(1);
  });

  test("beyond the first thirty from one address, whatever the account; others are admitted", async () => {
    const ip = "203.0.113.7";
    for (let time = 0; time < 30; time += 1) await signUp(person(), ip);
    await expect(signUp(person(), ip)).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    expect(hashing.count).toBe(30);
    await signUp(person(), "203.0.113.8");
    const token = await invitation(person().email);
    await acceptAsNewUser(token, person(), ip);
  });
});

test("two passwords are hashed at once, the others wait", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  hashing.held = promise;
  const signUps = Promise.all(Array.from({ length: 12 }, (_, index) => signUp(person(), `198.51.100.${index}`)));
  await expect.poll(() => hashing.atOnce).toBe(2);
  resolve();
  await signUps;
  expect(hashing).toMatchObject({ count: 12, most: 2 });
});
