import { describe, expect, test } from "vitest";
import { stuckRuns } from "./admit-runs.ts";

const holder = (id: string, key: string) => ({ id, key });
const awaited = (id: string, key: string, by: string, most = 1) => ({ id, key, most, holder: by });

describe("a run waiting for a slot is stuck", () => {
  test("when the only holder of a slot waits for it", () => {
    expect(stuckRuns([holder("a", "k")], [awaited("b", "k", "a")])).toEqual(["b"]);
  });

  test("when each holder of a slot waits for one like it", () => {
    const holders = [holder("a", "k"), holder("b", "k")];
    expect(stuckRuns(holders, [awaited("c", "k", "a", 2), awaited("d", "k", "b", 2)])).toEqual(["c", "d"]);
  });

  test("when the cycle leads through two flows", () => {
    const holders = [holder("a", "one"), holder("b", "two")];
    expect(stuckRuns(holders, [awaited("c", "two", "a"), awaited("d", "one", "b")])).toEqual(["c", "d"]);
  });
});

describe("it is not stuck", () => {
  test("while a holder of a slot waits for none of them", () => {
    expect(stuckRuns([holder("a", "k"), holder("b", "k")], [awaited("c", "k", "a", 2)])).toEqual([]);
  });

  test("while the slot's holder can still be admitted elsewhere", () => {
    const holders = [holder("a", "one"), holder("b", "two"), holder("c", "two")];
    expect(stuckRuns(holders, [awaited("d", "two", "a"), awaited("e", "one", "b")])).toEqual([]);
  });

  test("while there is a free slot", () => {
    expect(stuckRuns([holder("a", "k")], [awaited("b", "k", "a", 2)])).toEqual([]);
  });

  test("while nobody holds a slot", () => {
    expect(stuckRuns([], [])).toEqual([]);
  });
});
