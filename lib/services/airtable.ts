import { z } from "zod";
import {
  answer,
  choice,
  flag,
  integer,
  list,
  listOf,
  object,
  someFlag,
  someObject,
  someText,
  text,
  texts,
} from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://airtable.com/developers/web/api/${place}`;
const baseId = text("Base", "The base's id, such as app….");
const tableId = text("Table", "The table's id or name.");
const recordId = text("Record", "The record's id, such as rec….");
const fields = object("Fields", "The values by field.");
const typecast = flag("Convert", "Turns texts into what the field holds.").optional();
const record = answer({ id: someText, createdTime: someText, fields: someObject });
const records = answer({ records: listOf({ id: someText, fields: someObject }) });
const at = "/{baseId}/{tableId}";

/** https://airtable.com/developers/web/api/introduction */
export const airtable = defineService({
  id: "airtable",
  name: "Airtable",
  icon: { letters: "At", color: "#166ee1" },
  description: "Records of Airtable bases.",
  baseUrl: "https://api.airtable.com/v0",
  credentials: [
    {
      type: "bearer",
      help: "A personal access token with the scopes data.records:read and data.records:write; for comments data.recordComments:write, for a base's tables schema.bases:read.",
    },
    {
      type: "oauth2",
      help: "Your own integration.",
      authorizationUrl: "https://airtable.com/oauth2/v1/authorize",
      tokenUrl: "https://airtable.com/oauth2/v1/token",
      scopes: "data.records:read data.records:write data.recordComments:write schema.bases:read",
    },
  ],
  operations: () => [
    {
      id: "create-record",
      name: "Create a record",
      method: "POST",
      path: at,
      parameters: z.object({ baseId, tableId }),
      body: z.object({ fields, typecast }),
      answer: record,
      docs: docs("create-records"),
    },
    {
      id: "create-records",
      name: "Create several records",
      method: "POST",
      path: at,
      parameters: z.object({ baseId, tableId }),
      body: z.object({ records: list("Records", 'Up to 10: [{"fields": {"Name": "Ann"}}].'), typecast }),
      answer: records,
      docs: docs("create-records"),
    },
    {
      id: "list-records",
      name: "List records",
      method: "GET",
      path: at,
      parameters: z.object({
        baseId,
        tableId,
        filterByFormula: text("Formula", "Which records, such as {Status} = 'Open'.").optional(),
        view: text("View", "Only the records of this view, in its order.").optional(),
        "fields[]": texts("Fields", "Names of the fields to return.").optional(),
        maxRecords: integer("Most records", "How many in all.").optional(),
        pageSize: integer("Page size", "The page size, up to 100.", 100).optional(),
      }),
      answer: records,
      pages: { cursor: "$response.body.offset", parameter: "offset", items: "$response.body.records" },
      docs: docs("list-records"),
    },
    {
      id: "read-record",
      name: "Read a record",
      method: "GET",
      path: `${at}/{recordId}`,
      parameters: z.object({ baseId, tableId, recordId }),
      answer: record,
      docs: docs("get-record"),
    },
    {
      id: "update-record",
      name: "Update a record",
      method: "PATCH",
      path: `${at}/{recordId}`,
      parameters: z.object({ baseId, tableId, recordId }),
      body: z.object({ fields, typecast }),
      answer: record,
      docs: docs("update-record"),
    },
    {
      id: "upsert-records",
      name: "Create or update records",
      method: "PATCH",
      path: at,
      parameters: z.object({ baseId, tableId }),
      body: z.object({
        records: list("Records", 'Up to 10: [{"fields": {"Email": "ann@example.com"}}].'),
        fieldsToMergeOn: texts("Found by", "Names of one to three fields by which records are found."),
        typecast,
      }),
      send: ({ body: { fieldsToMergeOn, ...rest } }) => ({ ...rest, performUpsert: { fieldsToMergeOn } }),
      answer: records,
      docs: docs("update-multiple-records"),
    },
    {
      id: "delete-record",
      name: "Delete a record",
      method: "DELETE",
      path: `${at}/{recordId}`,
      parameters: z.object({ baseId, tableId, recordId }),
      answer: answer({ id: someText, deleted: someFlag }),
      docs: docs("delete-record"),
    },
    {
      id: "comment-record",
      name: "Comment on a record",
      method: "POST",
      path: `${at}/{recordId}/comments`,
      parameters: z.object({ baseId, tableId, recordId }),
      body: z.object({ text: text("Comment", "The comment's text.") }),
      answer: answer({ id: someText, text: someText }),
      docs: docs("create-comment"),
    },
    {
      id: "list-tables",
      name: "List tables",
      method: "GET",
      path: "/meta/bases/{baseId}/tables",
      parameters: z.object({
        baseId,
        include: choice("Include", "More about fields.", ["visibleFieldIds"]).optional(),
      }),
      answer: answer({ tables: listOf({ id: someText, name: someText }) }),
      docs: docs("get-base-schema"),
    },
  ],
});
