import { z } from "zod";
import { isJsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { choiceMeta, credentialMeta, durationMeta, fewNames } from "../config-fields.ts";
import { defineNode, NodeFailure, type SqlValue } from "../define.ts";
import { onlyReads, wrongParameter } from "./named-parameters.ts";

const queryCharactersMax = 65_536;
const rowsMaxDefault = 10_000;

/** Runs a statement in a database. */
export const sql = defineNode({
  type: "sql",
  name: "SQL",
  keywords: ["query"],
  family: "action",
  icon: "database",
  iconPath: "M4 6a8 3 0 1 0 16 0a8 3 0 1 0 -16 0M4 6v6a8 3 0 0 0 16 0v-6M4 12v6a8 3 0 0 0 16 0v-6",
  summary: ["{query}"],
  description: `Runs one SQL statement in PostgreSQL, MySQL (MariaDB), SQL Server or SQLite: in the database of a credential of type
\`postgres\`, \`mysql\`, \`mssql\` or \`sqlite\`.
Values are written as \`:name\` and given in \`parameters\`: they are sent separately, so none can change the meaning
of the statement. The query itself is fixed text, without expressions. Objects and lists are sent as JSON.

Output: \`{rows, rowCount}\`. \`mode\` \`rows\` gives all rows, \`one\` also \`row\`, which is null if there is none and fails
with \`SQL_NOT_ONE\` if there are more; \`exec\` gives no rows, only how many were changed (with MySQL and SQLite also
\`insertId\`).
Times are ISO 8601, bytes base64, and numbers that JSON cannot hold exactly are text.

The node fails with \`SQL_FAILED\` and the database's message when the statement is refused, \`SQL_SIGN_IN\` when the account
is, \`SQL_FILE\` when SQLite cannot open the file, \`SQL_TOO_MANY_ROWS\` beyond \`rowsMax\`, \`SQL_TOO_LARGE\` beyond 5 MiB, \`TIMEOUT\` after \`timeout\`, and \`CONNECT_FAILED\`,
\`TLS\` or \`RESET\` for connection errors. A statement that failed with \`TIMEOUT\` or \`RESET\` may have taken effect.
A run that resumes after a crash repeats a statement that was not recorded: use \`INSERT … ON CONFLICT DO NOTHING\` or similar
where that matters.

Example: \`{"credential": "shop", "query": "SELECT id, total FROM orders WHERE customer = :customer", "parameters":
{"customer": "{{ $trigger.body.customer }}"}}\` gives \`{"rows": [{"id": 7, "total": "12.50"}], "rowCount": 1}\`.`,
  effect: "outside",
  ignoresInput: true,
  acts: ({ query, mode }) => (mode !== "exec" && typeof query === "string" && onlyReads(query) ? "read" : "write"),
  credentialNames: ({ credential }) => (typeof credential === "string" ? [credential] : []),
  handles: plainHandle,
  config: z.object({
    credential: z.string("must be a credential's name").meta(
      credentialMeta({
        title: "Credential",
        description: "Of type postgres, mysql, mssql or sqlite: the database.",
      }),
    ),
    query: z
      .string("must be text")
      .trim()
      .min(1, "must not be empty")
      .max(queryCharactersMax, `must have at most ${queryCharactersMax} characters`)
      .meta({ title: "Query", description: "One statement, with :name for each value.", format: "plain" }),
    parameters: fewNames(z.record(z.string(), z.unknown(), "must be an object"))
      .optional()
      .default({})
      .meta({ title: "Parameters", description: "The values by name. None by default." }),
    mode: z
      .enum(["rows", "one", "exec"])
      .optional()
      .default("rows")
      .meta(
        choiceMeta(
          { title: "Return", description: "What to return: rows, one row, or how many were changed." },
          { rows: "Rows", one: "One row", exec: "Only the count" },
        ),
      ),
    timeout: z
      .int("must be a whole number of milliseconds")
      .min(1, "must be at least 1")
      .max(300_000, "must be at most 300000")
      .optional()
      .default(30_000)
      .meta(durationMeta({ title: "Time limit", description: "Milliseconds in total. Default: 30,000." })),
    rowsMax: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(100_000, "must be at most 100000")
      .optional()
      .default(rowsMaxDefault)
      .meta({ title: "Maximum rows", description: "With more, the node fails. Default: 10,000." }),
  }),
  example: {
    credential: "shop",
    query: "SELECT id, total FROM orders WHERE customer = :customer",
    parameters: { customer: "{{ $trigger.body.customer }}" },
  },
  async run({ credential: name, query, parameters, mode, timeout, rowsMax }, context) {
    const credential = await context.credential(name);
    const entries: [name: string, value: SqlValue][] = [];
    for (const [key, value] of Object.entries(parameters)) entries.push([key, await valueOfParameter(key, value)]);
    const values = Object.fromEntries(entries);
    const request = { credential, query, parameters: values, timeoutMs: timeout, rowsMax };
    const { rows, rowCount, insertId } = await context.sql(request);
    if (mode === "exec") return { output: { rows: [], rowCount, ...(insertId === undefined ? {} : { insertId }) } };
    if (mode === "rows") return { output: { rows, rowCount } };
    if (rows.length > 1) throw new NodeFailure("SQL_NOT_ONE", `The query gives ${rows.length} rows, not one`);
    return { output: { row: rows[0] ?? null, rows, rowCount } };
  },
});

async function valueOfParameter(name: string, value: unknown): Promise<SqlValue> {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) || isJsonObject(value)) return await jsonInTurns(value);
  throw wrongParameter(name, `The value of :${name} is not one that a database can hold`);
}
