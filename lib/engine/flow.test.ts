import { describe, expect, test } from "vitest";
import {
  flowDescription,
  flowEdge,
  flowEdges,
  flowLimits,
  flowName,
  flowNode,
  flowNodes,
  flowSettings,
  flowTags,
  flowTrigger,
  flowVariables,
  isStorableText,
} from "./flow.ts";

const text = (length: number) => "x".repeat(length);
const many = <T>(length: number, item: T) => Array.from({ length }, () => item);
const limits = flowLimits;

describe("each bound: the limit is accepted, one more is not", () => {
  const { nameCharactersMax, descriptionCharactersMax, tagsMax, tagCharactersMax } = limits;
  // Proves flow.name-bounds
  test.each<[string, { safeParse(value: unknown): { success: boolean } }, unknown, unknown]>([
    ["a name", flowName, text(nameCharactersMax), text(nameCharactersMax + 1)],
    ["a name's first character", flowName, "x", "  "],
    ["a description", flowDescription, text(descriptionCharactersMax), text(descriptionCharactersMax + 1)],
    ["tags", flowTags, many(tagsMax, "a"), many(tagsMax + 1, "a")],
    ["a tag", flowTags, [text(tagCharactersMax)], [text(tagCharactersMax + 1)]],
    ["a tag's first character", flowTags, ["a"], [""]],
    [
      "nodes",
      flowNodes,
      many(limits.nodesMax, { id: "a", type: "b" }),
      many(limits.nodesMax + 1, { id: "a", type: "b" }),
    ],
    [
      "edges",
      flowEdges,
      many(limits.edgesMax, { source: "a", target: "b" }),
      many(limits.edgesMax + 1, { source: "a", target: "b" }),
    ],
    [
      "a node's id",
      flowNode,
      { id: text(limits.nodeIdCharactersMax), type: "a" },
      { id: text(limits.nodeIdCharactersMax + 1), type: "a" },
    ],
    ["a node's id's first character", flowNode, { id: "a", type: "a" }, { id: "", type: "a" }],
    ["a node's name", flowNode, { id: "a", type: "a", name: text(255) }, { id: "a", type: "a", name: text(256) }],
    ["a time limit", flowSettings, { timeoutMs: 604_800_000 }, { timeoutMs: 604_800_001 }],
    ["the shortest time limit", flowSettings, { timeoutMs: 1 }, { timeoutMs: 0 }],
    ["concurrency", flowSettings, { concurrency: { limit: 10_000 } }, { concurrency: { limit: 10_001 } }],
    ["retention", flowSettings, { retentionDays: 36_500 }, { retentionDays: 36_501 }],
  ])("%s", (_, schema, limit, beyond) => {
    expect(schema.safeParse(limit).success).toBe(true);
    expect(schema.safeParse(beyond).success).toBe(false);
  });

  // Proves flow.name-bounds
  test("a name is counted after trimming", () => {
    expect(flowName.parse(`  ${text(255)}\n`)).toBe(text(255));
  });
});

describe("text that a database cannot store", () => {
  const unstorable = ["a\u0000b", "\ud800", "x\udc00"];

  test("is told apart from text that it can", () => {
    expect(unstorable.some(isStorableText)).toBe(false);
    expect(["", "ünï 🙂", "\u0001\uffff"].every(isStorableText)).toBe(true);
  });

  // Proves flow.text-in-names
  test.each(unstorable)("%j is refused in names, tags and ids", (unstorableText) => {
    expect(flowName.safeParse(unstorableText).success).toBe(false);
    expect(flowTags.safeParse([unstorableText]).success).toBe(false);
    expect(flowNode.safeParse({ id: unstorableText, type: "a" }).success).toBe(false);
    expect(flowNode.safeParse({ id: "a", type: "a", name: unstorableText }).success).toBe(false);
    expect(flowEdge.safeParse({ source: "a", target: "b", label: unstorableText }).success).toBe(false);
  });

  test.each(unstorable)("%j is kept in data", (unstorableText) => {
    expect(flowVariables.parse({ [unstorableText]: unstorableText })).toEqual({ [unstorableText]: unstorableText });
    expect(flowNode.parse({ id: "a", type: "a", config: { text: unstorableText } }).config).toEqual({
      text: unstorableText,
    });
  });
});

describe("defaults", () => {
  test("a node's name is its id, its position the origin, its config empty", () => {
    expect(flowNode.parse({ id: "a", type: "log" })).toEqual({
      id: "a",
      type: "log",
      name: "a",
      position: { x: 0, y: 0 },
      config: {},
    });
  });

  test("an edge has what was sent and nothing else", () => {
    expect(flowEdge.parse({ source: "a", target: "b" })).toEqual({ source: "a", target: "b" });
    const edge = { id: "e", source: "a", target: "b", sourceHandle: null, targetHandle: "in", label: "yes" };
    expect(flowEdge.parse({ ...edge, unknown: 1 })).toEqual(edge);
  });

  // Proves trigger.config-default
  test("a trigger's config is empty", () => {
    expect(flowTrigger.parse({ type: "manual" })).toEqual({ type: "manual", config: {} });
  });

  test("keys of data are kept as sent", () => {
    const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
    expect(JSON.stringify(flowVariables.parse(data))).toBe(JSON.stringify(data));
  });
});

describe("invalid shapes", () => {
  test.each<[{ safeParse(value: unknown): { success: boolean } }, unknown]>([
    [flowVariables, []],
    [flowVariables, null],
    [flowVariables, "text"],
    [flowNode, null],
    [flowNode, { id: 1, type: "a" }],
    [flowNode, { id: "a" }],
    [flowNode, { id: "a", type: "a", config: [] }],
    [flowNode, { id: "a", type: "a", position: { x: Number.NaN, y: 0 } }],
    [flowNode, { id: "a", type: "a", position: { x: Number.POSITIVE_INFINITY, y: 0 } }],
    [flowNode, { id: "a", type: "a", position: null }],
    [flowEdge, { source: "a" }],
    [flowEdge, { source: 1, target: "a" }],
    [flowEdge, { source: "a", target: "b", targetHandle: "\u0000" }],
    [flowEdge, { source: "a", target: "b", targetHandle: "\ud800" }],
    [flowTags, "a"],
    [flowTrigger, "webhook"],
    [flowTrigger, { type: "fax" }],
    [flowTrigger, { type: "webhook", config: null }],
    [flowTrigger, { type: "webhook", config: "none" }],
    [flowTrigger, { type: "webhook", config: { method: "post" } }],
    [flowTrigger, { type: "webhook", config: { method: "TRACE" } }],
    [flowTrigger, { type: "webhook", config: { authentication: "digest" } }],
    [flowTrigger, { type: "webhook", config: { method: ["POST"] } }],
    [flowSettings, { timeoutMs: 1.5 }],
    [flowSettings, { timeoutMs: "1" }],
    [flowSettings, { concurrency: { policy: "never" } }],
    [flowSettings, []],
  ])("%# is refused: %j", (schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });

  test("webhook settings are not checked in other triggers", () => {
    expect(flowTrigger.safeParse({ type: "manual", config: { method: "anything" } }).success).toBe(true);
  });
});
