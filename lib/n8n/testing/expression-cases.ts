import { type Case, condition, manual, n8nDocument, n8nNode, set } from "./workflows.ts";

const anyCase = condition("={{ $json.tags }}", "contains", "VIP", "array");
const conditions = [
  condition("={{ $json.at }}", "after", "2026-01-31T00:00:00Z", "dateTime"),
  { ...anyCase, options: { caseSensitive: false, typeValidation: "strict", version: 2 } },
  condition("={{ $json.missing }}", "notEquals", "2026-01-31", "dateTime"),
];

/** Expressions, and the methods that n8n adds to values. */
export const expressionCases: readonly Case[] = [
  {
    title: "values in parentheses stay in them, and times in seconds are times",
    document: n8nDocument(
      "Parentheses",
      [
        manual,
        set("Out", {
          "a:array": "={{ $json.all.map(one => ({ 'x': ([{ y: one['n'] }]), z: (one.n) })) }}",
          "b:array": "={{ [].concat(('x', $json.all[0].n)) }}",
          at: "={{ $json.all[0].n.toDateTime('s').toISO() }}",
        }),
      ],
      ["Start -> Out"],
    ),
    body: { all: [{ n: 1 }] },
    output: { a: [{ x: [{ y: 1 }], z: 1 }], b: [1], at: "1970-01-01T00:00:01.000Z" },
  },
  {
    title: "n8n's methods of values",
    document: n8nDocument(
      "Methods",
      [
        manual,
        set("Out", {
          "numbers:array":
            "={{ ['$12.50'.toNumber(), '12px'.toInt(), (2.7).toInt(), '3.5kg'.toFloat(), (-2.5).round(), (1.256).round(1)] }}",
          "unique:array": "={{ $json.all.unique() }}",
          "plucked:array": "={{ $json.all.pluck('a') }}",
          "compact:array": "={{ [[1, null, 'nil', '', {}].compact(), ({ a: 1, b: '' }).compact()] }}",
          "average:array": "={{ [[].average(), [1, 2].average()] }}",
          text: "={{ '<b>x</b> <i'.removeTags() + ({ q: 'a b' }).urlEncode() + 'ä'.urlEncode() }}",
        }),
      ],
      ["Start -> Out"],
    ),
    body: { all: [{ a: 1 }, { a: 1 }, { b: 2 }] },
    output: {
      numbers: [12.5, 12, 3, 3.5, -3, 1.3],
      unique: [{ a: 1 }, { b: 2 }],
      plucked: [1, 1],
      compact: [[1], { a: 1 }],
      average: [0, 1.5],
      text: "x q=a%20b%C3%A4",
    },
  },
  {
    title: "a month later is at most the month's last day",
    document: n8nDocument(
      "Months",
      [
        manual,
        set("Out", {
          year: "={{ DateTime.fromISO('2028-02-29').plus({ years: 1 }).toISODate() }}",
          before: "={{ DateTime.fromISO('2026-05-31').minus($json.n, 'quarters').toISODate() }}",
          same: "={{ DateTime.fromISO('2026-01-28').plus({ months: $json.n }).toISODate() }}",
        }),
      ],
      ["Start -> Out"],
    ),
    body: { n: 1 },
    output: { year: "2029-02-28", before: "2026-02-28", same: "2026-02-28" },
  },
  {
    title: "fields have the type that the node sets",
    document: n8nDocument(
      "Types",
      [
        manual,
        set("Out", {
          text: "={{ $json.n }}",
          object: "={{ $json.list }}",
          none: "={{ $json.missing }}",
          "given:string": 7,
          "yes:boolean": "={{ $json.yes }}",
          "no:boolean": "={{ $json.no }}",
          "number:number": "={{ $json.digits }}",
          "noNumber:number": "={{ $json.missing }}",
        }),
      ],
      ["Start -> Out"],
    ),
    body: { n: 5, list: [1, 2], yes: "TRUE", no: 0, digits: "12" },
    output: {
      text: "5",
      object: "[1,2]",
      none: null,
      given: "7",
      yes: true,
      no: false,
      number: 12,
      noNumber: null,
    },
  },
  {
    title: "times are texts or milliseconds, lists ignore case, and nothing is not another time",
    document: n8nDocument(
      "Conditions",
      [
        manual,
        ...conditions.map((when, at) => n8nNode(`If ${at}`, "if", { conditions: when }, { version: 2.2 })),
        set("Out", { "ok:boolean": true }),
      ],
      ["Start -> If 0", "If 0 -> If 1", "If 1 -> If 2", "If 2:1 -> Out"],
    ),
    body: { at: 1_769_853_600_000, tags: ["vip"] },
    output: { ok: true },
  },
  {
    title: "code replaces the data of its items, and an object's keys are listed",
    document: n8nDocument(
      "Replaced",
      [
        manual,
        n8nNode("Split", "splitOut", { fieldToSplitOut: "all", options: {} }),
        n8nNode(
          "Code",
          "code",
          { jsCode: "for (const item of $input.all()) item.json = { n: item.json.a * 2 };\nreturn $input.all();" },
          { version: 2 },
        ),
        set("Out", { keys: "={{ $json.keys().concat($json.values()).join() }}" }),
      ],
      ["Start -> Split", "Split -> Code", "Code -> Out"],
    ),
    body: { all: [{ a: 1 }, { a: 2 }] },
    output: [{ keys: "n,2" }, { keys: "n,4" }],
  },
];
