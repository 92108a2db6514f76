import { describe, expect, test } from "vitest";
import { derivedId, idPrefixes, isId, newHookId, newId } from "./ids.ts";

const kinds = Object.keys(idPrefixes) as (keyof typeof idPrefixes)[];

describe("ids", () => {
  // Proves addresses.id-form
  test("start with their kind, and are valid for that kind only", () => {
    for (const kind of kinds) {
      const id = kind === "hook" ? newHookId() : newId(kind);
      expect(id.startsWith(`${idPrefixes[kind]}_`)).toBe(true);
      expect(kinds.filter((other) => isId(other, id))).toEqual([kind]);
    }
  });

  // Proves addresses.id-form
  test("are unique, and sort by creation time", async () => {
    const first = newId("execution");
    await new Promise((resolve) => setTimeout(resolve, 2));
    const ids = Array.from({ length: 10_000 }, () => newId("execution"));
    expect(new Set(ids).size).toBe(10_000);
    expect(ids.every((id) => id > first)).toBe(true);
  });

  // Proves trigger.capability
  test("of triggers contain no time: common prefixes are coincidence", () => {
    const beginnings = Array.from({ length: 1_000 }, () => newHookId().slice(5, 13));
    expect(new Set(beginnings).size).toBeGreaterThan(990);
  });
});

test.each([
  "",
  "flow_",
  "flow",
  "FLOW_01h455vb4pex5vsknk084sn02q",
  "flow_01h455vb4pex5vsknk084sn02",
  "flow_01h455vb4pex5vsknk084sn02qq",
  "flow_81h455vb4pex5vsknk084sn02q",
  "flow_01h455vb4pex5vsknk084sn02l",
  "flow_01H455VB4PEX5VSKNK084SN02Q",
  "flow_01h455vb4pex5vsknk084sn02q\n",
  "flow_../../../etc/passwd0000000",
  "flow_01h455vb4pex5vsknk084sn0\u00002",
  "exec_01h455vb4pex5vsknk084sn02q",
])("%j is not looked up as a flow", (text) => {
  expect(isId("flow", text)).toBe(false);
});

test("a derived id is the same for the same time and seed, and stays so in later releases", () => {
  const at = new Date("2026-01-31T10:30:00.842Z");
  expect(derivedId("execution", at, "a")).toBe("exec_01kg9smewafq5bnghhped27q2d");
  expect(derivedId("execution", at, "b")).not.toBe(derivedId("execution", at, "a"));
});
