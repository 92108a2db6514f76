import { describe, expect, it } from "vitest";
import { SlotMap } from "./slot-map.ts";

describe("SlotMap", () => {
  it("returns the last value set for a key, and nothing once it is deleted", () => {
    const map = new SlotMap<string>();
    map.set("a", "one");
    map.set("b", "two");
    map.set("a", "three");
    expect([map.size, map.get("a"), map.get("b"), map.get("c")]).toEqual([2, "three", "two", undefined]);
    expect([map.delete("a"), map.delete("a"), map.has("a"), map.get("a"), map.size]).toEqual([
      true,
      false,
      false,
      undefined,
      1,
    ]);
  });

  it("does not mix up entries whose slots are reused", () => {
    const map = new SlotMap<number>();
    const known = new Map<string, number>();
    for (let step = 0; step < 2_000; step += 1) {
      const key = `key-${(step * 7_919) % 101}`;
      if (step % 3 === 0) expect(map.delete(key)).toBe(known.delete(key));
      else {
        map.set(key, step);
        known.set(key, step);
      }
    }
    expect([...map.keys()]).toEqual([...known.keys()]);
    expect([...map.values()]).toEqual([...known.values()]);
  });

  it("is empty after clearing, and can be filled again", () => {
    const map = new SlotMap<number>();
    map.set("a", 1);
    map.set("b", 2);
    map.clear();
    expect([map.size, ...map.values()]).toEqual([0]);
    map.set("c", 3);
    expect([...map.values()]).toEqual([3]);
  });
});
