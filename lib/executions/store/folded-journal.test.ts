import { describe, expect, test } from "vitest";
import { foldJournal, type Journaled, unfoldJournal } from "./folded-journal.ts";
import type { NodeRecord } from "./node-record.ts";

const journal: Journaled = {
  nodes: [
    {
      nodeId: "call␟3",
      position: 1,
      nodeName: "Call “it”",
      type: "http-request",
      status: "failed",
      startedAt: "2026-01-31T10:00:00.000Z",
      completedAt: "2026-01-31T10:00:01.000Z",
      retries: 2,
      handle: null,
      input: '{"url":"http://localhost/\\u0000"}',
      output: null,
      error: '{"message":"it broke","code":"BROKEN"}',
      answer: null,
    },
    {
      nodeId: "answer",
      position: 2,
      nodeName: "answer",
      type: "respond",
      status: "completed",
      startedAt: "2026-01-31T10:00:01.000Z",
      completedAt: null,
      retries: 0,
      handle: "default",
      input: null,
      output: "{}",
      error: null,
      answer: '{"status":201,"headers":{}}',
    },
  ],
  logs: [{ timestamp: "2026-01-31T10:00:00.500Z", level: "error", nodeId: "call", message: "it broke", data: null }],
};

const nothing = async () => null;

test("a folded journal unfolds to the same", async () => {
  expect(await unfoldJournal(foldJournal({ ...journal, output: null }), nothing)).toEqual(journal);
  const empty = { nodes: [], logs: [] };
  expect(await unfoldJournal(foldJournal({ ...empty, output: null }), nothing)).toEqual(empty);
});

test("field names are not repeated for every node", () => {
  expect(foldJournal({ ...journal, output: null })).not.toContain("nodeName");
});

describe("a long text that nodes pass on", () => {
  const [first, second] = journal.nodes as [NodeRecord, NodeRecord];
  const long = (text: string) => JSON.stringify(text.repeat(3_000));
  const passed = {
    logs: [],
    nodes: [
      { ...first, input: null, output: long("ä") },
      { ...second, input: long("ä"), output: long("z") },
      { ...second, nodeId: "last", output: long("z") },
    ],
  };

  test("is stored once, and not at all if it is the run's own output", async () => {
    const folded = foldJournal({ ...passed, output: long("z") });
    expect(folded.split("ä".repeat(3_000))).toHaveLength(2);
    expect(folded).not.toContain("zzz");
    expect(await unfoldJournal(folded, async () => long("z"))).toEqual(passed);
  });

  test("is not confused with another of the same length, and short ones are stored in place", async () => {
    const output = `"${"z".repeat(2_999)}y"`;
    expect(await unfoldJournal(foldJournal({ ...passed, output }), async () => output)).toEqual(passed);
    expect(foldJournal({ ...journal, output: "{}" })).toBe(foldJournal({ ...journal, output: null }));
  });
});
