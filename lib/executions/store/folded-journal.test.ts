import { expect, test } from "vitest";
import { foldJournal, type Journaled, unfoldJournal } from "./folded-journal.ts";

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

test("what was folded unfolds to the same", () => {
  expect(unfoldJournal(foldJournal(journal))).toEqual(journal);
  expect(unfoldJournal(foldJournal({ nodes: [], logs: [] }))).toEqual({ nodes: [], logs: [] });
});

test("field names are not repeated for every node", () => {
  expect(foldJournal(journal)).not.toContain("nodeName");
});
