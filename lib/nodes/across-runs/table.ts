import { z } from "zod";
import type { JsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { anyField } from "../config-fields.ts";
import { defineNode } from "../define.ts";
import { type TableAction, tableActions, tableReads } from "./table-access.ts";

const rowsMax = 1_000;

/** The fields that each action requires. */
const needs: Readonly<Record<TableAction, readonly ("where" | "row" | "key" | "column")[]>> = {
  find: [],
  get: ["where"],
  count: [],
  insert: [],
  upsert: ["key"],
  update: ["where", "row"],
  increment: ["where", "column"],
  delete: ["where"],
};

/** Reads and writes rows of a table of the workspace. */
export const table = defineNode({
  type: "table",
  name: "Table",
  keywords: ["database", "storage", "data store"],
  family: "data",
  icon: "table",
  iconPath: "M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14M3 10h18M10 3v18",
  summary: ["{action:text|find} in {table}"],
  description: `Reads and writes rows of a table that the workspace's flows share. \`table\` is its name or id.

- \`find\`: the rows that \`where\` matches, up to \`limit\`; \`get\`: one of them; \`count\`: how many there are.
- \`insert\`: \`row\`, or a list of rows (the input by default). \`upsert\`: the same, but a row with the same value in the
  unique column \`key\` is changed.
- \`update\`: writes \`row\` to all rows that \`where\` matches; \`increment\`: adds \`by\` to \`column\` in them; \`delete\`
  deletes them. At most ${rowsMax} rows: if there are more, the node fails and nothing is written.

\`where\` is a filter such as \`{"status": "open", "total": {"gte": 100}}\`. Output: \`{row, rows, count}\`, what was found or
written (or deleted); \`row\` is the first, null if there is none. Writes happen exactly once, whatever happens to the server.

Example: \`{"action": "upsert", "table": "customers", "key": "email", "row": {"email": "{{ $trigger.body.email }}",
"seen": "{{ $execution.startedAt }}"}}\`.`,
  effect: "outside",
  acts: ({ action = "find" }) => (tableReads.has(action) ? "read" : "write"),
  tableNames: ({ table }) => (typeof table === "string" ? [table] : []),
  handles: plainHandle,
  config: z.object({
    action: z
      .enum(tableActions, `must be one of ${tableActions.join(", ")}`)
      .optional()
      .default("find")
      .meta({ title: "Action", description: "What to do with the table." }),
    table: z
      .string("must be a table's name or id")
      .min(1, "must not be empty")
      .meta({ title: "Table", description: "Its name or id." }),
    where: anyField({ title: "Where", description: 'Which rows, such as {"status": "open", "total": {"gte": 100}}.' }),
    row: anyField({
      title: "Row",
      description: "Values by column name; to insert, also a list of rows. Default: the input.",
    }),
    key: z
      .string("must be a column's name")
      .optional()
      .meta({ title: "Key", description: "The unique column by which an upsert finds rows." }),
    column: z
      .string("must be a column's name")
      .optional()
      .meta({ title: "Column", description: "The number column to increment." }),
    by: z
      .number("must be a number")
      .optional()
      .meta({ title: "Amount", description: "The amount to add. Default: 1." }),
    sort: z.string("must be a column's name").optional().meta({
      title: "Sort",
      description: "A column to sort by; with - before it, descending. Default: the oldest first.",
    }),
    limit: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(rowsMax, `must be at most ${rowsMax}`)
      .optional()
      .meta({ title: "Limit", description: `How many rows to find, up to ${rowsMax}. Default: 100.` }),
  }),
  example: { action: "find", table: "customers", where: { email: "{{ $trigger.body.email }}" }, limit: 10 },
  problem: missingField,
  run: async ({ action, row, ...request }, context) => {
    const takesInput = action === "insert" || action === "upsert";
    const written = row === undefined && takesInput ? context.input() : row;
    const { rows, count, ...page } = await context.table({ action, ...request, row: written });
    return { output: { row: rows[0] ?? null, rows, count, ...page } };
  },
});

function missingField(config: JsonObject): { path: string; message: string } | null {
  const action = tableActions.find((known) => known === (config.action ?? "find"));
  const path = needs[action ?? "find"].find((name) => config[name] === undefined || config[name] === null);
  return path === undefined ? null : { path, message: `is required to ${action}` };
}
