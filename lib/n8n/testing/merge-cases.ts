import type { JsonObject } from "#lib/engine/json.ts";
import { type Case, manual, n8nDocument, n8nNode, webhook } from "./workflows.ts";

const matching = (settings: object) =>
  n8nNode(
    "Merge",
    "merge",
    { mode: "combine", combineBy: "combineByFields", fieldsToMatchString: "id", options: {}, ...settings },
    { version: 3 },
  );

const merged = (settings: object) =>
  n8nDocument(
    "Merge",
    [
      manual,
      n8nNode("People", "splitOut", { fieldToSplitOut: "people", options: {} }),
      n8nNode("Towns", "splitOut", { fieldToSplitOut: "towns", options: {} }),
      matching(settings),
    ],
    ["Start -> People", "Start -> Towns", "People -> Merge", "Towns -> Merge:1"],
  );

const body = {
  people: [{ id: 1, name: "Ann" }, { id: 2, name: "Bo" }, { name: "none" }],
  towns: [{ id: 1, name: "Bern" }, { id: 1, name: "Biel" }, { name: "nowhere" }],
};

const split = (parameters: object) =>
  n8nDocument(
    "Split",
    [
      manual,
      n8nNode("Split", "splitOut", { options: {}, ...parameters }),
      n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData" }),
    ],
    ["Start -> Split", "Split -> All"],
  );

const combined = (options: JsonObject) =>
  n8nDocument(
    "Combined",
    [
      manual,
      n8nNode("A", "set", { mode: "raw", jsonOutput: "={{ $json.a }}", options: {} }, { version: 3.4 }),
      n8nNode("B", "set", { mode: "raw", jsonOutput: "={{ $json.b }}", options: {} }, { version: 3.4 }),
      n8nNode("Merge", "merge", { mode: "combine", combineBy: "combineByPosition", options }, { version: 3 }),
    ],
    ["Start -> A", "Start -> B", "A -> Merge", "B -> Merge:1"],
  );

const deep = {
  a: { at: { x: 1, y: [1, 2], z: 3 }, id: 1, n: 2 },
  b: { at: { y: [9], z: null }, id: "", n: null },
};

/** One list that is taken apart, and two that become one. */
export const mergeCases: readonly Case[] = [
  {
    title: "an object's values are split out, under the whole name of the field",
    document: split({ fieldToSplitOut: "to.names" }),
    body: { to: { names: { a: "Ann", b: { id: 2 } } } },
    output: { data: [{ "to.names": "Ann" }, { id: 2 }] },
  },
  {
    title: "objects are split out into another field, in the place of the list",
    document: split({ fieldToSplitOut: "all", include: "allOtherFields", options: { destinationFieldName: "one" } }),
    body: { all: [{ id: 1 }, 2], more: 3 },
    output: {
      data: [
        { more: 3, one: { id: 1 } },
        { more: 3, one: 2 },
      ],
    },
  },
  {
    title: "objects are split out into another field alone",
    document: split({ fieldToSplitOut: "$json.all", options: { destinationFieldName: "one" } }),
    body: { all: [{ id: 1 }], more: 3 },
    output: { data: [{ one: { id: 1 } }] },
  },
  {
    title: "items of the first input that match are given once",
    document: merged({ outputDataFrom: "input1" }),
    body,
    output: [{ id: 1, name: "Ann" }],
  },
  {
    title: "only the first match",
    document: merged({ options: { multipleMatches: "first" } }),
    body,
    output: [{ id: 1, name: "Bern" }],
  },
  {
    title: "the second input enriched by the first, and no item without the field",
    document: merged({ joinMode: "enrichInput2" }),
    body,
    output: [{ id: 1, name: "Ann" }, { id: 1, name: "Ann" }, { name: "nowhere" }],
  },
  {
    title: "two branches are appended, and matched by a field",
    document: n8nDocument(
      "Merge",
      [
        webhook(),
        n8nNode("People", "splitOut", { fieldToSplitOut: "body.people", options: {} }),
        n8nNode("Towns", "splitOut", { fieldToSplitOut: "body.towns", options: {} }),
        n8nNode(
          "Merge",
          "merge",
          {
            mode: "combine",
            combineBy: "combineByFields",
            fieldsToMatchString: "id",
            joinMode: "enrichInput1",
            options: {},
          },
          { version: 3 },
        ),
        n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData", options: {} }),
      ],
      ["Webhook -> People", "Webhook -> Towns", "People -> Merge", "Towns -> Merge:1", "Merge -> All"],
    ),
    body: {
      people: [
        { id: 1, name: "Ann" },
        { id: 2, name: "Bo" },
      ],
      towns: [{ id: 2, town: "Bern" }],
    },
    output: {
      data: [
        { id: 2, name: "Bo", town: "Bern" },
        { id: 1, name: "Ann" },
      ],
    },
    gaps: [["Webhook", "The flow has a URL of its own"]],
  },
  {
    title: "objects of both inputs are merged deeply",
    document: combined({}),
    body: deep,
    output: { at: { x: 1, y: [9, 2], z: null }, id: "", n: null },
  },
  {
    title: "of both inputs the first is preferred, also within objects",
    document: combined({ clashHandling: { values: { resolveClash: "preferInput1" } } }),
    body: deep,
    output: { at: { x: 1, y: [1, 2], z: 3 }, id: 1, n: 2 },
  },
  {
    title: "objects of both inputs replace each other if the node says so",
    document: combined({ clashHandling: { values: { resolveClash: "preferInput2", mergeMode: "shallowMerge" } } }),
    body: deep,
    output: { at: { y: [9], z: null }, id: "", n: null },
  },
  {
    title: "empty values replace nothing if the node says so",
    document: combined({ clashHandling: { values: { resolveClash: "preferInput2", overrideEmpty: true } } }),
    body: deep,
    output: { at: { x: 1, y: [9, 2], z: 3 }, id: 1, n: 2 },
  },
  {
    title: "a list inside an item of a list is split",
    document: split({ fieldToSplitOut: "orders[0].lines" }),
    body: { orders: [{ lines: [{ n: 1 }, { n: 2 }] }] },
    output: { data: [{ n: 1 }, { n: 2 }] },
  },
  {
    title: "objects in JSON text are written as JSON",
    document: n8nDocument(
      "Raw",
      [
        manual,
        n8nNode(
          "Out",
          "set",
          { mode: "raw", jsonOutput: '={"a": {{ $json.o }}, "b": {{ $json.n }}, "c": "{{ $json.t }}"}' },
          { version: 3.4 },
        ),
      ],
      ["Start -> Out"],
    ),
    body: { o: { list: [1, null] }, n: null, t: "x" },
    output: { a: { list: [1, null] }, b: null, c: "x" },
  },
];
