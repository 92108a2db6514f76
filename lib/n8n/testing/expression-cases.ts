import { type Case, manual, n8nDocument, set } from "./workflows.ts";

/** Expressions, and the methods that n8n adds to values. */
export const expressionCases: readonly Case[] = [
  {
    title: "values in parentheses stay in them, and times in seconds are times",
    document: n8nDocument(
      "Parentheses",
      [
        manual,
        set("Out", {
          a: "={{ $json.all.map(one => ({ 'x': ([{ y: one['n'] }]), z: (one.n) })) }}",
          b: "={{ [].concat(('x', $json.all[0].n)) }}",
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
          numbers:
            "={{ ['$12.50'.toNumber(), '12px'.toInt(), (2.7).toInt(), '3.5kg'.toFloat(), (-2.5).round(), (1.256).round(1)] }}",
          unique: "={{ $json.all.unique() }}",
          plucked: "={{ $json.all.pluck('a') }}",
          compact: "={{ [[1, null, 'nil', '', {}].compact(), ({ a: 1, b: '' }).compact()] }}",
          average: "={{ [[].average(), [1, 2].average()] }}",
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
];
