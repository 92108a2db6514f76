import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { paging, searchText } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { isStorableText } from "#lib/engine/flow.ts";

/** What a column can hold. */
export const columnTypes = ["text", "number", "boolean", "time", "json"] as const;
export type ColumnType = (typeof columnTypes)[number];

/** Fields that every row has besides its columns. */
export const rowFields = ["id", "version", "createdAt", "updatedAt"] as const;
/** Names with another meaning in a row or a filter. */
const reserved: ReadonlySet<string> = new Set([...rowFields, "and", "or", "__proto__"]);

export const columnsMax = 100;
/** Each costs an index entry for every row. */
export const indexedColumnsMax = 10;

const name = (label: string) =>
  z
    .string(`${label} must be text`)
    .trim()
    .min(1, `${label} must not be empty`)
    .max(100, `${label} must have at most 100 characters`)
    .refine(isStorableText, `${label} must not contain U+0000 or unpaired surrogates`);

const columnName = name("name")
  .refine((text) => !reserved.has(text), `name must not be one of ${[...reserved].join(", ")}`)
  .refine((text) => !text.startsWith("-"), "name must not begin with -");

const flagField = (label: string) => z.boolean(`${label} must be true or false`).optional().default(false);

const newColumn = z
  .object({
    name: columnName.describe("Its name"),
    type: z
      .enum(columnTypes, `type must be one of ${columnTypes.join(", ")}`)
      .describe("What it holds: `text`, `number`, `boolean`, `time` or `json`"),
    unique: flagField("unique").describe("Whether each value occurs only once in the table; such a column is indexed"),
    indexed: flagField("indexed").describe("Whether filtering and sorting by it stay fast in a large table"),
    required: flagField("required").describe("Whether every row has a value"),
  })
  .refine(({ type, unique, indexed }) => type !== "json" || !(unique || indexed), {
    path: ["type"],
    message: "json can be neither unique nor indexed",
  });

const columnId = z.string("id must be a column's id").regex(/^c[1-9]\d{0,8}$/, "id must be a column's id, such as c1");

const listOf = <Item extends z.ZodType<{ name: string; unique: boolean; indexed: boolean }>>(item: Item) =>
  z
    .array(item, "columns must be a list of columns")
    .min(1, "columns must have at least one column")
    .max(columnsMax, `columns must have at most ${columnsMax} columns`)
    .superRefine((columns, context) => {
      const names = columns.map((column) => column.name);
      names.forEach((name, index) => {
        if (names.indexOf(name) === index) return;
        context.addIssue({ code: "custom", path: [index, "name"], message: `there are two columns "${name}"` });
      });
      if (columns.filter(({ unique, indexed }) => unique || indexed).length > indexedColumnsMax) {
        context.addIssue({ code: "custom", message: `columns must have at most ${indexedColumnsMax} indexed columns` });
      }
    });

export const newTable = z.object({
  name: name("name").describe("Its name"),
  columns: listOf(newColumn).describe("Its columns, in their order"),
});

const tableChanges = z.object({
  name: name("name").optional().describe("Its name"),
  columns: listOf(newColumn.safeExtend({ id: columnId.optional().describe("Its id") }))
    .optional()
    .describe("Its columns, in their order"),
});

const column = z
  .object({
    id: z.string().describe("Its id in the table, which stays the same when it is renamed"),
    name: z.string().describe("Its name"),
    type: z.enum(columnTypes).describe("What it holds: `text`, `number`, `boolean`, `time` or `json`"),
    unique: z.boolean().describe("Whether each value occurs only once in the table; such a column is indexed"),
    /** A unique column is indexed. */
    indexed: z.boolean().describe("Whether filtering and sorting by it stay fast in a large table"),
    required: z.boolean().describe("Whether every row has a value"),
  })
  .meta({ id: "Column" });

export const table = z
  .object({
    id: z.string().describe("Its id"),
    name: z.string().describe("Its name, unique in the workspace"),
    columns: z.array(column).describe("Its columns, in their order"),
    rowCount: z.int().describe("How many rows it has"),
    bytes: z.int().describe("Size of its rows' values as JSON, in bytes"),
    createdAt: timestamp.describe("When it was created"),
    updatedAt: timestamp.describe("When it was last changed"),
  })
  .meta({ id: "Table" });

const tag = "Tables";

export const listTables = endpoint({
  method: "GET",
  path: "/tables",
  tag,
  summary: "List tables",
  description: "Newest first.",
  scope: "tables:read",
  query: z.object({
    ...paging,
    search: searchText("search").optional().describe("Part of the name, in any case"),
  }),
  shape: "list",
  answer: table,
});

export const createTable = endpoint({
  method: "POST",
  path: "/tables",
  tag,
  summary: "Create a table",
  description: `Small data that the workspace's flows share. A column of the type \`time\` holds ISO 8601 times, \`json\` anything. Values of a \`unique\` column occur only once in the table (several rows may have none), a \`required\` one has a value in every row. Filters and sorting
on a \`unique\` or \`indexed\` column stay fast in a large table; its values have at most 1,000 bytes. At most ${columnsMax} columns, ${indexedColumnsMax} of
them indexed.`,
  scope: "tables:write",
  body: newTable,
  bodyRequired: true,
  status: 201,
  answer: table,
});

export const readTable = endpoint({
  method: "GET",
  path: "/tables/:id",
  tag,
  summary: "Read a table",
  description: "Its columns and how much is in it.",
  scope: "tables:read",
  params: idParams("table"),
  answer: table,
});

export const updateTable = endpoint({
  method: "PATCH",
  path: "/tables/:id",
  tag,
  summary: "Change a table",
  description: `Only the fields sent change. \`columns\` is the whole list in its new order: a column with the \`id\` of an existing one is that column,
possibly renamed or required; one without is new; what is missing is deleted with its values. Type, \`unique\` and \`indexed\` of a
column cannot be changed.`,
  scope: "tables:write",
  params: idParams("table"),
  body: tableChanges,
  answer: table,
});

export const deleteTable = endpoint({
  method: "DELETE",
  path: "/tables/:id",
  tag,
  summary: "Delete a table",
  description:
    "With all its rows, permanently. Nodes that use it fail from then on. 409 `CONFLICT` while active flows listen for its changes: `details.flowIds`.",
  scope: "tables:write",
  params: idParams("table"),
  shape: "empty",
});

export type NewTable = z.output<typeof newTable>;
export type TableChanges = z.output<typeof tableChanges>;
export type ShownTable = z.output<typeof table>;
