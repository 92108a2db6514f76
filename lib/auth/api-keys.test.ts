import { describe, expect, test } from "vitest";
import { hashOfKey, isPossibleKey, newApiKey, shownPrefix } from "./api-keys.ts";

describe("a new key", () => {
  // Proves api-keys.form
  test("is recognizable, long enough, and well-formed", () => {
    for (let turn = 0; turn < 200; turn += 1) {
      const key = newApiKey();
      expect(key).toMatch(/^mill_live_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
      expect(isPossibleKey(key)).toBe(true);
    }
  });

  test("is unique, and its characters are uniformly distributed", () => {
    const keys = Array.from({ length: 2_000 }, newApiKey);
    expect(new Set(keys).size).toBe(2_000);
    const counts = new Map<string, number>();
    for (const key of keys) for (const letter of key.slice(10, 42)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 64,000 draws over 62 characters: about 1,032 each, within seven standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 64_000 / 62)).toBeLessThan(225);
  });

  test("is shown only by its prefix, and stored as a hash", () => {
    const key = newApiKey();
    expect(shownPrefix(key)).toBe(key.slice(0, 14));
    expect(shownPrefix("operator-chose-this-one-by-hand-1")).toBe("oper");
    expect(hashOfKey(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOfKey(key)).not.toContain(key.slice(10, 42));
  });
});

describe("an impossible key is not looked up", () => {
  const key = newApiKey();
  const other = key.at(12) === "a" ? "b" : "a";

  test("a key with one character changed, or truncated", () => {
    expect(isPossibleKey(`${key.slice(0, 12)}${other}${key.slice(13)}`)).toBe(false);
    expect(isPossibleKey(key.slice(0, -1))).toBe(false);
    expect(isPossibleKey(key.slice(0, 42))).toBe(false);
  });

  test.each([
    "",
    "short",
    "x".repeat(31),
    "x".repeat(201),
    `${"x".repeat(40)} `,
    `${"x".repeat(40)}\n`,
    "ü".repeat(40),
  ])("%j", (text) => {
    expect(isPossibleKey(text)).toBe(false);
  });

  test("an operator's own key is looked up", () => {
    expect(isPossibleKey("x".repeat(32))).toBe(true);
    expect(isPossibleKey("!~".repeat(100))).toBe(true);
  });
});
