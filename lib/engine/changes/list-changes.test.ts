import { describe, expect, test } from "vitest";
import { isStorableText } from "#lib/engine/flow.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { type CopiedFlow, listChanges, summarizeChanges } from "./list-changes.ts";

const flow = (overrides: Partial<CopiedFlow> = {}): CopiedFlow => ({
  name: "Order intake",
  trigger: { type: "webhook", config: {} },
  nodes: [{ ...node("check", "if-else", { condition: "true" }), name: "If / else" }],
  edges: [],
  variables: {},
  settings: {},
  ...overrides,
});
const [check] = flow().nodes;
if (check === undefined) throw new Error("there is a node");
const changesTo = (after: CopiedFlow, before = flow()) => listChanges(before, after);

describe("changes", () => {
  test("of nodes are listed by id, with the fields that changed", () => {
    const nodes = [
      { ...check, config: { condition: "false" } },
      { ...node("log", "log"), name: "Log" },
    ];
    const edges = [{ id: "e", source: "check", target: "log" }];
    const changes = changesTo(flow({ nodes, edges }));
    expect(changes).toEqual([
      { nodeId: "check", kind: "changed", summary: "If / else: condition" },
      { nodeId: "log", kind: "added", summary: "+ Log" },
      { path: "edges", kind: "added", summary: "+ If / else → Log" },
    ]);
    expect(summarizeChanges(changes)).toBe("If / else: condition; + Log");
    expect(summarizeChanges(changesTo(flow(), flow({ nodes, edges })))).toBe("If / else: condition; − Log");
  });

  test("of everything else are listed by path", () => {
    const after = flow({
      name: "Orders",
      trigger: { type: "schedule", config: { cron: "* * * * *" } },
      variables: { rate: 2 },
      settings: { timeoutMs: 5 },
      nodes: [{ ...check, position: { x: 9, y: 9 } }],
    });
    expect(changesTo(after)).toEqual([
      { path: "name", kind: "changed", summary: "Name: Orders" },
      { nodeId: "trigger", kind: "changed", summary: "Trigger: type, cron" },
      { path: "variables", kind: "changed", summary: "Variables: rate" },
      { path: "settings", kind: "changed", summary: "Settings: timeoutMs" },
      { path: "positions", kind: "changed", summary: "Layout" },
    ]);
  });

  test("disabling a node is listed as a change", () => {
    expect(changesTo(flow({ nodes: [{ ...check, disabled: true }] }))).toMatchObject([
      { summary: "If / else: disabled" },
    ]);
  });

  test("are listed wherever runs or people could see a difference", () => {
    const second = { ...node("log", "log"), name: "Log" };
    const wire = { id: "e", source: "check", target: "log" };
    const before = flow({ nodes: [check, second], edges: [wire] });
    expect(changesTo(flow({ nodes: [second, check], edges: [wire] }), before)).toMatchObject([{ path: "positions" }]);
    const labelled = flow({ nodes: [check, second], edges: [{ ...wire, label: "Yes" }] });
    expect(changesTo(labelled, before)).toMatchObject([{ path: "edges", kind: "changed" }]);
    expect(changesTo(flow({ nodes: [check, second], edges: [{ ...wire, id: "other" }] }), before)).toEqual([]);
  });

  test("are none where nothing differs", () => {
    expect(changesTo(flow())).toEqual([]);
    expect(summarizeChanges([])).toBe("");
  });
});

test("a deep change in a config is found by reading the config once", () => {
  let reads = 0;
  const deep = (leaf: number) => {
    const bottom: Record<string, unknown> = {};
    const get = () => {
      reads += 1;
      return leaf;
    };
    Object.defineProperty(bottom, "leaf", { enumerable: true, get });
    return Array.from({ length: 60 }).reduce<object>((inside) => ({ inside }), bottom);
  };
  const nodes = (leaf: number) => [{ ...check, config: deep(leaf) as typeof check.config }];
  expect(changesTo(flow({ nodes: nodes(2) }), flow({ nodes: nodes(1) }))).toHaveLength(1);
  expect(reads).toBeLessThan(10);
});

test("a summary can be stored, whatever the keys of a config contain", () => {
  const nodes = [{ ...check, config: { condition: "true", "a\u0000b\ud800": 1 } }];
  const changes = changesTo(flow({ nodes, variables: { "\u0000": 1 } }));
  for (const summary of [...changes.map((change) => change.summary), summarizeChanges(changes)])
    expect(isStorableText(summary)).toBe(true);
});

test("a summary is one short line, however much changed, and never splits a character", () => {
  const nodes = Array.from({ length: 1_000 }, (_, index) => ({ ...node(`n${index}`), name: "😀".repeat(120) }));
  const summary = summarizeChanges(changesTo(flow({ nodes })));
  expect(summary.length).toBeLessThanOrEqual(200);
  expect(summary.isWellFormed()).toBe(true);
});
