import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { isStorableText, jsonObject } from "#lib/engine/flow.ts";

/** Rows per request. */
export const rowsAtOnceMax = 1_000;
const pageRowsMax = 1_000;

/** A row's values by column name; `null` for none. */
const values = jsonObject("values").meta({ examples: [{ email: "ada@example.com", orders: 3 }] });

/** A row as the API shows it: its own fields, and a field for each column. */
export const row = z
  .looseObject({
    id: z.string().describe("Its id"),
    version: z.int().describe("Increases by one with every change of the row"),
    createdAt: timestamp.describe("When it was created"),
    updatedAt: timestamp.describe("When it was last changed"),
  })
  .meta({ id: "Row" });

const filterCharactersMax = 16_384;

/** JSON in a query parameter; validated against the table's columns later. */
const where = z
  .string("where must be given once")
  .max(filterCharactersMax, `where must have at most ${filterCharactersMax} characters`)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "where must be JSON" });
      return z.NEVER;
    }
  })
  .optional()
  .meta({ type: "string", examples: ['{"status": "open", "total": {"gte": 100}}'] });

const sort = z
  .string("sort must be given once")
  .max(101, "sort must be a column's name, with - before it for the other way round")
  .refine(isStorableText, "sort must be a column's name")
  .optional();

const limit = z
  .string("limit must be given once")
  .regex(/^[1-9]\d{0,3}$/, `limit must be a whole number from 1 to ${pageRowsMax}`)
  .transform(Number)
  .refine((value) => value <= pageRowsMax, `limit must be at most ${pageRowsMax}`)
  .optional()
  .default(100)
  .meta({ type: "integer", minimum: 1, maximum: pageRowsMax, default: 100, pattern: undefined });

const cursor = z
  .string("cursor must be given once")
  .max(12_288, "cursor must be one that a page ended with")
  .optional();

const tag = "Tables";
const [read, write] = ["tables:read", "tables:write"] as const;
const rowParams = z.object({ id: z.string().describe("Its id"), rowId: z.string().describe("The row's id") });

export const listRows = endpoint({
  method: "GET",
  path: "/tables/:id/rows",
  tag,
  summary: "List rows",
  description: `\`where\` is a filter as JSON: \`{"status": "open", "total": {"gte": 100}}\` requires both. Comparisons: \`eq\` (the same as a bare value), \`ne\`,
\`lt\`, \`lte\`, \`gt\`, \`gte\`, \`in\` (a list), \`contains\` (of text, ignoring case); \`and\` and \`or\` take lists of filters. \`null\` means no value. At most 50 comparisons, 5 levels and 100 values of \`in\`. \`sort\` is a column, \`-name\` for descending; rows without a value come last, and text sorts by code point. Without it, oldest first. Rows have \`id\`, \`version\`, \`createdAt\` and \`updatedAt\` to filter and sort by, too.

A page ends after \`limit\` rows or 2 MiB; \`nextCursor\`, with the same \`where\` and \`sort\`, gives the next one; null means that there is none. Searches without an index go row by row, for at most 5 seconds.`,
  scope: read,
  params: idParams("table"),
  query: z.object({
    where: where.describe("A filter as JSON"),
    sort: sort.describe("The column to sort by; with `-` before it, descending"),
    limit: limit.describe("Rows per page"),
    cursor: cursor.describe("The `nextCursor` of the previous page"),
  }),
  answer: z.object({
    rows: z.array(row).describe("The rows"),
    nextCursor: z.string().nullable().describe("The next page's cursor; null if there is none"),
  }),
});

export const countRows = endpoint({
  method: "GET",
  path: "/tables/:id/rows/count",
  tag,
  summary: "Count rows",
  description: "Counts the rows that match the filter; all without one.",
  scope: read,
  params: idParams("table"),
  query: z.object({ where: where.describe("A filter as JSON") }),
  answer: z.object({ count: z.int().describe("How many rows there are") }),
});

export const insertRow = endpoint({
  method: "POST",
  path: "/tables/:id/rows",
  tag,
  summary: "Insert a row",
  description:
    "The body has the values by column name. A row takes up to 64 KiB as JSON. 409 `CONFLICT` if a unique column already has the value.",
  scope: write,
  params: idParams("table"),
  body: values,
  bodyRequired: true,
  status: 201,
  answer: row,
});

export const readRow = endpoint({
  method: "GET",
  path: "/tables/:id/rows/:rowId",
  tag,
  summary: "Read a row",
  description: "Its `ETag` is its version.",
  scope: read,
  params: rowParams,
  checksVersion: "row",
  answer: row,
});

export const updateRow = endpoint({
  method: "PATCH",
  path: "/tables/:id/rows/:rowId",
  tag,
  summary: "Change a row",
  description: "Only the columns sent change; `null` removes a value.",
  scope: write,
  params: rowParams,
  body: values,
  checksVersion: "row",
  answer: row,
});

export const deleteRow = endpoint({
  method: "DELETE",
  path: "/tables/:id/rows/:rowId",
  tag,
  summary: "Delete a row",
  description: "With `If-Match`, only if the row still has that version.",
  scope: write,
  params: rowParams,
  checksVersion: "row",
  shape: "empty",
});

const columnField = (label: string) => z.string(`${label} must be a column's name`).max(100);

const increment = z.object({
  column: columnField("column").describe("A column of numbers"),
  by: z.number("by must be a number").optional().default(1).describe("The number to add; negative to subtract"),
});

export const incrementRow = endpoint({
  method: "POST",
  path: "/tables/:id/rows/:rowId/increment",
  tag,
  summary: "Increment a number",
  description:
    "Adds `by` to a column of the type `number`; no value counts as 0. Concurrent increments are never lost.",
  scope: write,
  params: rowParams,
  body: increment,
  bodyRequired: true,
  answer: row,
});

const upsert = z.object({
  key: columnField("key").describe("A unique column to find rows by"),
  row: values.describe("Values by column name; `null` for none"),
});

export const upsertRow = endpoint({
  method: "POST",
  path: "/tables/:id/rows/upsert",
  tag,
  summary: "Upsert a row",
  description:
    "`key` is a unique column: the row with the same value there is changed as by PATCH (200); if there is none, a row is inserted (201). Of concurrent upserts, only one inserts.",
  scope: write,
  params: idParams("table"),
  body: upsert,
  bodyRequired: true,
  statuses: [200, 201],
  answer: row,
});

const rowId = z.string("id must be a row's id").max(100);
const many = <Item extends z.ZodType>(label: string, item: Item) =>
  z
    .array(item, `${label} must be a list`)
    .max(rowsAtOnceMax, `${label} must have at most ${rowsAtOnceMax} entries`)
    .optional()
    .default([]);

const bulk = z
  .object({
    insert: many("insert", values).describe("Rows to insert: values by column name"),
    update: many(
      "update",
      z.object({
        id: rowId.describe("Its id"),
        row: values.describe("Values by column name; `null` for none"),
        version: z.int("version must be a whole number").optional().describe("The row's version that was read"),
      }),
    ).describe("Rows to change: their id, the changes, and optionally the version that was read"),
    delete: many("delete", rowId).describe("Ids of rows to delete"),
  })
  .refine((all) => all.insert.length + all.update.length + all.delete.length <= rowsAtOnceMax, {
    path: ["insert"],
    message: `insert, update and delete must have at most ${rowsAtOnceMax} entries together`,
  });

export const writeRows = endpoint({
  method: "POST",
  path: "/tables/:id/rows/bulk",
  tag,
  summary: "Write many rows",
  description: `Inserts, changes and deletes up to ${rowsAtOnceMax} rows, all or none. A change with a \`version\` is refused (409 \`CONFLICT\`) when the row has
another; a row may be named once. Deleting a row that does not exist is ignored.`,
  scope: write,
  params: idParams("table"),
  body: bulk,
  answer: z.object({
    /** The new rows' ids, in the order of `insert`. */
    inserted: z.array(z.string()).describe("The inserted rows"),
    updated: z.int().describe("How many rows were changed"),
    deleted: z.int().describe("How many rows were deleted"),
  }),
});

export const exportRows = endpoint({
  method: "GET",
  path: "/tables/:id/csv",
  tag,
  summary: "Read a table as CSV",
  description:
    'RFC 4180, in UTF-8: a line of column names, then the rows, the oldest first. No value is an empty field, and empty text is `""`; values of `json` are JSON.',
  scope: read,
  params: idParams("table"),
  shape: "csv",
  answer: z.string(),
});

export const importRows = endpoint({
  method: "POST",
  path: "/tables/:id/csv",
  tag,
  summary: "Insert rows from CSV",
  description: `In UTF-8, or in the \`charset\` of its \`Content-Type\`. The first line names the columns, in any order. An empty field is no value, and \`""\` is empty text. All rows or none: a value of the wrong type is refused, with its line. Up to \`MAX_BODY_BYTES\`: send a larger file in parts. With \`key=column\`, rows whose value in that unique column already exists are updated.`,
  scope: write,
  params: idParams("table"),
  query: z.object({ key: columnField("key").optional().describe("A unique column to find rows by") }),
  body: z.string(),
  bodyType: "csv",
  bodyRequired: true,
  answer: z.object({
    inserted: z.int().describe("The inserted rows"),
    updated: z.int().describe("How many rows were changed"),
  }),
});

export type ShownRow = z.output<typeof row>;
export type RowsQuery = z.output<(typeof listRows)["query"]>;
export type RowWrites = z.output<typeof bulk>;
export type Increment = z.output<typeof increment>;
