import { describe, expect, test } from "vitest";
import { ownerOf, SealBroken, seal, sealingKey, unseal } from "./seal.ts";

const key = sealingKey("an encryption key of 32 characters");
const older = sealingKey("the encryption key of the last year");
const owner = ownerOf("ws_1", "cred_1");

describe("sealed text", () => {
  test.each(["", "s3cret", "pä$$ 🔑\u0000", "x".repeat(100_000)])("opens for its owner: %#", (plain) => {
    expect(unseal(seal(plain, owner, key), owner, [key])).toBe(plain);
  });

  test("does not contain the plain text, and is never the same twice", () => {
    const [first, second] = [seal("canary-canary", owner, key), seal("canary-canary", owner, key)];
    expect(Buffer.from(first.ciphertext).toString("latin1")).not.toContain("canary");
    expect(Buffer.from(first.ciphertext).equals(Buffer.from(second.ciphertext))).toBe(false);
    expect(Buffer.from(first.ciphertext.slice(0, 12)).equals(Buffer.from(second.ciphertext.slice(0, 12)))).toBe(false);
  });
});

describe("text that does not open", () => {
  test("swapped with another row's", () => {
    const others = [ownerOf("ws_1", "cred_2"), ownerOf("ws_2", "cred_1"), ownerOf("ws_1", "cred_1x")];
    for (const other of others) expect(() => unseal(seal("mine", owner, key), other, [key])).toThrow(SealBroken);
  });

  test("with any one byte changed", () => {
    const sealed = seal("four", owner, key);
    for (let index = 0; index < sealed.ciphertext.length; index += 1) {
      const changed = sealed.ciphertext.slice();
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => unseal({ ...sealed, ciphertext: changed }, owner, [key])).toThrow(SealBroken);
    }
  });

  test.each([0, 5, 12, 20, 28])("cut to %i bytes", (length) => {
    const sealed = seal("four", owner, key);
    expect(() => unseal({ ...sealed, ciphertext: sealed.ciphertext.slice(0, length) }, owner, [key])).toThrow(
      SealBroken,
    );
  });

  test("of an unknown key, or with another key's version", () => {
    const sealed = seal("four", owner, older);
    expect(() => unseal(sealed, owner, [key])).toThrow(/another encryption key/);
    expect(() => unseal({ ...sealed, keyVersion: key.version }, owner, [key, older])).toThrow(SealBroken);
  });
});

describe("a change of the encryption key", () => {
  test("the old key still opens what it sealed", () => {
    expect(unseal(seal("old", owner, older), owner, [key, older])).toBe("old");
    expect(unseal(seal("new", owner, key), owner, [key, older])).toBe("new");
  });

  test("a version is derived from its key, and fits in an integer column", () => {
    expect(sealingKey("an encryption key of 32 characters").version).toBe(key.version);
    expect(older.version).not.toBe(key.version);
    for (const { version } of [key, older]) expect(version).toBeLessThan(2 ** 31);
  });
});
