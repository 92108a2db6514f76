import { expect, test } from "vitest";
import type { ShownAuditEntry } from "#lib/contract/accounts/audit-log.ts";
import { actionInWords, changeInWords } from "./audit-list.tsx";

const entry: ShownAuditEntry = {
  id: "aud_1",
  at: "2026-01-31T09:30:00.000Z",
  action: "member.role_changed",
  actor: { kind: "user", id: "user_1", name: "ada@example.com" },
  subject: { type: "member", id: "user_2", name: "ben@example.com" },
  ip: null,
  requestId: null,
  before: { role: "viewer", same: 1 },
  after: { role: "editor", same: 1 },
};

test("an entry names the action, its subject and what changed", () => {
  expect(actionInWords(entry)).toBe("Member role changed: ben@example.com");
  expect(changeInWords(entry)).toBe("role: viewer → editor");
});

test("one run is worded in the singular", () => {
  const action = "executions.cancelled";
  const [single, many] = ["exec_1", "flow_1"].map((id) => ({ type: "executions" as const, id, name: null }));
  expect([single, many].map((subject) => subject && actionInWords({ ...entry, action, subject }))).toEqual([
    "Run cancelled",
    "Runs cancelled",
  ]);
});

test("fields are named in words", () => {
  const after = { quietMinutes: 60, flowId: "flow_1" };
  expect(changeInWords({ ...entry, before: null, after })).toBe("quiet minutes: 60, flow id: flow_1");
});

test("new, removed and long values are described too", () => {
  expect(changeInWords({ ...entry, before: null })).toBe("role: editor, same: 1");
  expect(changeInWords({ ...entry, before: { role: "editor" }, after: null })).toBe("role: editor → none");
  expect(changeInWords({ ...entry, before: null, after: { list: ["a", "b"] } })).toBe("list: a b");
  expect(changeInWords({ ...entry, before: null, after: { text: "x".repeat(200) } })).toBe(`text: ${"x".repeat(80)}…`);
  expect(changeInWords({ ...entry, before: null, after: null })).toBe("");
});
