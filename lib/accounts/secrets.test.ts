import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { resealSecrets } from "#lib/credentials/reseal-secrets.ts";
import { database, query } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { ownerOf, SealBroken, seal, sealingKey } from "#lib/platform/seal.ts";
import { isOpenReset, openPasswordReset, resetPassword } from "./reset-password.ts";
import { newSecret, openSecret, sealSecret, startTwoFactor, stepOfCode } from "./two-factor.ts";
import { hashOfRecoveryCode, newRecoveryCodes, takeCode } from "./two-factor-codes.ts";

inOwnDatabase();

async function newUser(): Promise<string> {
  const id = newId("user");
  await database().user.create({ data: { id, email: `${id}@example.com`, name: "Ann", passwordHash: "x" } });
  return id;
}

async function withApp(secret = newSecret()): Promise<string> {
  const userId = await newUser();
  const { ciphertext, keyVersion } = sealSecret(secret, userId);
  await database().twoFactor.create({ data: { userId, secret: ciphertext, keyVersion, confirmedAt: new Date() } });
  return userId;
}

describe("an authenticator app's secret", () => {
  test("does not open in another user's row", async () => {
    const [first, second] = [await withApp(), await withApp()];
    const { secret } = await database().twoFactor.findUniqueOrThrow({ where: { userId: first } });
    const moved = await database().twoFactor.update({ where: { userId: second }, data: { secret } });
    expect(() => openSecret({ ciphertext: moved.secret, keyVersion: moved.keyVersion }, second)).toThrow(SealBroken);
  });

  test("is re-encrypted with the others when the encryption key changes", async () => {
    const secret = newSecret();
    const userId = await withApp(secret);
    const older = sealingKey("an encryption key that is not in use any more");
    const { ciphertext, keyVersion } = seal(secret, ownerOf(userId, "two-factor"), older);
    await database().twoFactor.update({ where: { userId }, data: { secret: ciphertext, keyVersion } });
    // Without the old key, it is left unchanged, and counted.
    expect(await resealSecrets()).toMatchObject({ unreadable: 1 });
  });

  test("stays if it is confirmed while another is started", async () => {
    const userId = await withApp();
    await database().user.update({ where: { id: userId }, data: { passwordHash: null } });
    await database().twoFactor.update({ where: { userId }, data: { confirmedAt: null } });
    const user = { kind: "user", id: userId, role: "owner", sessionId: "session" } as const;
    const starting = await database().$transaction(async (tx) => {
      await tx.twoFactor.update({ where: { userId }, data: { confirmedAt: new Date() } });
      const started = startTwoFactor({ ...(await newActor()), by: user }, undefined).catch((error) => error);
      const blocked = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await expect.poll(() => query("blocked", blocked, [])).toHaveLength(1);
      return [started] as const;
    });
    expect(await starting[0]).toMatchObject({ code: "INVALID_STATUS", details: { currentStatus: "enabled" } });
    expect((await database().twoFactor.findUniqueOrThrow({ where: { userId } })).confirmedAt).not.toBeNull();
  });

  test("accepts codes for the current, previous and next 30 seconds", () => {
    const [secret, now] = [newSecret(), 1_800_000_015_000];
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const step = Math.floor(now / 30_000);
    for (const [off, taken] of [
      [-2, null],
      [-1, step - 1],
      [0, step],
      [1, step + 1],
      [2, null],
    ] as const) {
      expect(stepOfCode(secret, totp.generate({ timestamp: now + off * 30_000 }), now)).toBe(taken);
    }
    for (const code of ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"]) expect(stepOfCode(secret, code, now)).toBeNull();
  });
});

test("a recovery code works once, even if tried concurrently, and only for its own user", async () => {
  const [userId, second] = [await withApp(), await withApp()];
  const [code = ""] = newRecoveryCodes();
  await database().recoveryCode.create({ data: { userId, hash: hashOfRecoveryCode(userId, code) } });
  expect(await takeCode(second, code)).toBe(false);
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeCode(userId, code.toUpperCase())));
  expect(taken.filter(Boolean)).toHaveLength(1);
});

describe("a link to set a new password", () => {
  const tokenOf = (link: string | null) => link?.split("/").at(-1) ?? "";

  test("works once, and invalidates the other open ones", async () => {
    const userId = await newUser();
    const email = `${userId}@example.com`;
    const [first, second] = [
      tokenOf(await openPasswordReset(email)),
      tokenOf(await openPasswordReset(email.toUpperCase())),
    ];
    const both = await Promise.allSettled([
      resetPassword(first, "long enough", null),
      resetPassword(first, "long enough", null),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect([await isOpenReset(first), await isOpenReset(second)]).toEqual([false, false]);
  });

  test("is one of at most three, expires, and is stored as a hash", async () => {
    const userId = await newUser();
    const links = await Promise.all(Array.from({ length: 5 }, () => openPasswordReset(`${userId}@example.com`)));
    expect(links.filter((link) => link !== null)).toHaveLength(3);
    const token = tokenOf(links.find((link) => link !== null) ?? null);
    expect(JSON.stringify(await database().passwordReset.findMany())).not.toContain(token);
    await database().passwordReset.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await isOpenReset(token)).toBe(false);
    await expect(resetPassword(token, "long enough", null)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(resetPassword(token, "short", null)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await openPasswordReset("nobody@example.com")).toBeNull();
  });
});
