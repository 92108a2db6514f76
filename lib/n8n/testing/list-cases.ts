import { answered, type Case, condition, manual, n8nDocument, n8nNode, set } from "./workflows.ts";

const code = (name: string, jsCode: string, more = {}) => n8nNode(name, "code", { jsCode, ...more }, { version: 2 });
const split = n8nNode("Split Out", "splitOut", { fieldToSplitOut: "orders", options: {} });
const aggregate = n8nNode("Aggregate", "aggregate", { aggregate: "aggregateAllItemData", options: {} });
const orders = [
  { id: 1, total: 30, country: "CH", buyer: { name: "Ann" } },
  { id: 2, total: 200, country: "DE", buyer: { name: "Bea" } },
  { id: 3, total: 120, country: "CH", buyer: { name: "Cy" } },
];

/** Several items: lists, loops, merges. */
export const listCases: readonly Case[] = [
  {
    title: "a list is split, each item gets fields, and all are put together: no loop is needed",
    document: n8nDocument(
      "Split",
      [manual, split, set("Line", { line: "={{ $itemIndex + 1 }}. {{ $json.buyer.name }}" }), aggregate],
      ["Start -> Split Out", "Split Out -> Line", "Line -> Aggregate"],
    ),
    body: { orders },
    output: { data: [{ line: "1. Ann" }, { line: "2. Bea" }, { line: "3. Cy" }] },
  },
  {
    title: "what is done outside for each item becomes a loop, and items stay paired",
    document: n8nDocument(
      "Loop",
      [
        manual,
        split,
        n8nNode(
          "Ship",
          "httpRequest",
          { method: "POST", url: "=https://api.example.com/ship/{{ $json.id }}", options: {} },
          { version: 4.2 },
        ),
        set("Text", { text: "={{ $('Split Out').item.json.buyer.name }} has {{ $json.number }}" }),
        n8nNode("Names", "aggregate", {
          fieldsToAggregate: {
            fieldToAggregate: [{ fieldToAggregate: "text", renameField: true, outputFieldName: "texts" }],
          },
          options: {},
        }),
      ],
      ["Start -> Split Out", "Split Out -> Ship", "Ship -> Text", "Text -> Names"],
    ),
    body: { orders: orders.slice(0, 2) },
    recordings: {
      "ship-item": {
        sequence: [
          { output: { status: 200, headers: {}, body: { number: 7 } } },
          { output: { status: 200, headers: {}, body: { number: 8 } } },
        ],
      },
    },
    output: { texts: ["Ann has 7", "Bea has 8"] },
  },
  {
    title: "a filter and a condition part a list; ways without items are not taken",
    document: n8nDocument(
      "Parts",
      [
        manual,
        split,
        n8nNode(
          "Filter",
          "filter",
          { conditions: condition("={{ $json.country }}", "equals", "CH"), options: {} },
          { version: 2 },
        ),
        n8nNode(
          "Is large",
          "if",
          { conditions: condition("={{ $json.total }}", "gte", 100, "number"), options: {} },
          { version: 2 },
        ),
        n8nNode("Large", "aggregate", {
          fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: "id" }] },
          options: {},
        }),
        n8nNode("Small", "aggregate", {
          fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: "buyer.name" }] },
          options: {},
        }),
      ],
      ["Start -> Split Out", "Split Out -> Filter", "Filter -> Is large", "Is large -> Large", "Is large:1 -> Small"],
    ),
    body: { orders },
    nodes: { large: { id: [3] }, small: { name: ["Ann"] } },
    output: { name: ["Ann"] },
  },
  {
    title: "sorting, limits, and items that are there twice",
    document: n8nDocument(
      "Order",
      [
        manual,
        split,
        n8nNode("Sort", "sort", {
          sortFieldsUi: { sortField: [{ fieldName: "total", order: "descending" }] },
          options: {},
        }),
        n8nNode(
          "One a country",
          "removeDuplicates",
          { compare: "selectedFields", fieldsToCompare: "country", options: {} },
          { version: 2 },
        ),
        n8nNode("Limit", "limit", { maxItems: 2 }),
        n8nNode("Ids", "aggregate", {
          fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: "id" }] },
          options: {},
        }),
      ],
      ["Start -> Split Out", "Split Out -> Sort", "Sort -> One a country", "One a country -> Limit", "Limit -> Ids"],
    ),
    body: { orders },
    output: { id: [2, 3] },
  },
  {
    title: "texts are sorted whatever their case",
    document: n8nDocument(
      "Names",
      [
        manual,
        n8nNode("Split Names", "splitOut", { fieldToSplitOut: "names", options: {} }),
        n8nNode("Sort", "sort", { sortFieldsUi: { sortField: [{ fieldName: "names" }] }, options: {} }),
        n8nNode("All", "aggregate", { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: "names" }] } }),
      ],
      ["Start -> Split Names", "Split Names -> Sort", "Sort -> All"],
    ),
    body: { names: ["b", "C", "a", "B"] },
    output: { names: ["a", "b", "B", "C"] },
  },
  {
    title: "sums by group",
    document: n8nDocument(
      "Summary",
      [
        manual,
        split,
        n8nNode(
          "Summarize",
          "summarize",
          {
            fieldsToSummarize: {
              values: [
                { aggregation: "sum", field: "total" },
                { aggregation: "count", field: "id" },
              ],
            },
            fieldsToSplitBy: "country",
            options: {},
          },
          { version: 1.1 },
        ),
      ],
      ["Start -> Split Out", "Split Out -> Summarize"],
    ),
    body: { orders },
    output: [
      { country: "CH", sum_total: 150, count_id: 2 },
      { country: "DE", sum_total: 200, count_id: 1 },
    ],
  },
  {
    title: "a loop over items whose body leads back, with a condition in it",
    document: n8nDocument(
      "Loop over items",
      [
        manual,
        split,
        n8nNode("Loop Over Items", "splitInBatches", { options: {} }, { version: 3 }),
        n8nNode(
          "Large?",
          "if",
          { conditions: condition("={{ $json.total }}", "gt", 100, "number"), options: {} },
          { version: 2 },
        ),
        set("Call", { did: "=called {{ $json.buyer.name }}" }),
        set("Write", { did: "=wrote to {{ $('Loop Over Items').item.json.buyer.name }}" }),
        n8nNode("Done", "aggregate", {
          fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: "did" }] },
          options: {},
        }),
      ],
      [
        "Start -> Split Out",
        "Split Out -> Loop Over Items",
        "Loop Over Items:1 -> Large?",
        "Large? -> Call",
        "Large?:1 -> Write",
        "Call -> Loop Over Items",
        "Write -> Loop Over Items",
        "Loop Over Items -> Done",
      ],
    ),
    body: { orders },
    output: { did: ["wrote to Ann", "called Bea", "called Cy"] },
  },
  {
    title: "batches of two, the loop's older version, and code over each batch",
    document: n8nDocument(
      "Batches",
      [
        manual,
        split,
        n8nNode("Batches", "splitInBatches", { batchSize: 2, options: {} }, { version: 2 }),
        code("Sum", "return [{ json: { sum: $input.all().reduce((sum, item) => sum + item.json.total, 0) } }];"),
        n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData", destinationFieldName: "sums", options: {} }),
      ],
      ["Start -> Split Out", "Split Out -> Batches", "Batches:0 -> Sum", "Sum -> Batches", "Batches:1 -> All"],
    ),
    body: { orders },
    output: { sums: [{ sum: 230 }, { sum: 120 }] },
  },
  {
    title: "two branches that both run are combined by position",
    document: n8nDocument(
      "Position",
      [
        manual,
        n8nNode("Price", "httpRequest", { url: "https://api.example.com/price", options: {} }, { version: 4.2 }),
        n8nNode(
          "Stock",
          "httpRequest",
          { method: "POST", url: "https://api.example.com/stock", options: {} },
          { version: 4.2 },
        ),
        n8nNode("Merge", "merge", { mode: "combine", combineBy: "combineByPosition", options: {} }, { version: 3 }),
        set("Out", { text: "={{ $json.price }}/{{ $json.stock }}" }),
      ],
      ["Start -> Price", "Start -> Stock", "Price -> Merge", "Stock -> Merge:1", "Merge -> Out"],
    ),
    recordings: { price: answered({ price: 5 }), stock: answered({ stock: 9 }) },
    output: { text: "5/9" },
  },
  {
    title: "code gives a list, code for each item maps it, names are renamed",
    document: n8nDocument(
      "Lists of code",
      [
        manual,
        code("Make", "const out = [];\nfor (let n = 1; n <= 3; n += 1) out.push({ json: { n } });\nreturn out;"),
        code("Square", "const item = $json;\nreturn { json: { n: item.n, square: item.n ** 2 } };", {
          mode: "runOnceForEachItem",
        }),
        n8nNode("Rename", "renameKeys", { keys: { key: [{ currentKey: "square", newKey: "area" }] } }),
      ],
      ["Start -> Make", "Make -> Square", "Square -> Rename"],
    ),
    output: [
      { n: 1, area: 1 },
      { n: 2, area: 4 },
      { n: 3, area: 9 },
    ],
  },
  {
    title: "a loop in a loop reads the outer loop's item",
    document: n8nDocument(
      "Loops",
      [
        manual,
        split,
        n8nNode("Each", "splitInBatches", { options: {} }, { version: 3 }),
        n8nNode("Parts", "splitOut", { fieldToSplitOut: "parts", options: {} }),
        n8nNode("Part", "splitInBatches", { options: {} }, { version: 3 }),
        set("Out", { of: "={{ $('Each').item.json.id + '/' + $json.n }}" }),
        n8nNode(
          "Send",
          "httpRequest",
          { method: "POST", url: "=https://api.example.com/{{ $('Each').item.json.id }}/{{ $json.of }}", options: {} },
          { version: 4.2 },
        ),
      ],
      [
        ...["Start -> Split Out", "Split Out -> Each", "Each:1 -> Parts", "Parts -> Part"],
        ...["Part:1 -> Out", "Out -> Part", "Part -> Send", "Send -> Each"],
      ],
    ),
    body: {
      orders: [
        { id: "a", parts: [{ n: 1 }, { n: 2 }] },
        { id: "b", parts: [{ n: 3 }] },
      ],
    },
    recordings: {
      "send-item": {
        sequence: ["A1", "A2", "B3"].map((sent) => ({ output: { status: 200, headers: {}, body: { sent } } })),
      },
    },
    output: [[{ sent: "A1" }, { sent: "A2" }], [{ sent: "B3" }]],
    requests: {
      "send-item": ["a/a/1", "a/a/2", "b/b/3"].map((path) => ({ url: `https://api.example.com/${path}` })),
    },
  },
];
