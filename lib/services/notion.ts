import { z } from "zod";
import { answer, flag, integer, list, listOf, object, someFlag, someText, text } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://developers.notion.com/reference/${place}`;
const pageId = text("Page", "The page's id, from its URL.");
const databaseId = text("Database", "The database's id, from its URL.");
const start = text("Start", "The `next_cursor` of the previous page.").optional();
const size = integer("Page size", "The page size, up to 100.", 100).optional();
const page = answer({ object: someText, id: someText, url: someText });
const results = answer({ results: listOf({ object: someText, id: someText }), has_more: someFlag });
const properties = object("Properties", "The values by property, as Notion writes them.");
const pages = {
  cursor: "$response.body.next_cursor",
  parameter: "start_cursor",
  items: "$response.body.results",
};

/** https://developers.notion.com/reference, in the version named in the header. */
export const notion = defineService({
  id: "notion",
  name: "Notion",
  icon: { letters: "No", color: "#37352f" },
  description: "Pages, databases and blocks of a Notion workspace.",
  baseUrl: "https://api.notion.com/v1",
  credentials: [
    { type: "bearer", help: "The secret of an integration, which the page or database is shared with." },
    {
      type: "oauth2",
      help: "Your own public integration. Choose HTTP Basic for the client ID and secret.",
      authorizationUrl: "https://api.notion.com/v1/oauth/authorize?owner=user",
      tokenUrl: "https://api.notion.com/v1/oauth/token",
    },
  ],
  headers: { "notion-version": "2022-06-28" },
  operations: () => [
    {
      id: "create-page",
      name: "Create a page",
      method: "POST",
      path: "/pages",
      body: z.object({
        parent: object("Parent", 'Where it belongs: {"database_id": "…"} or {"page_id": "…"}.'),
        properties,
        children: list("Content", "Blocks of the page.").optional(),
        icon: object("Icon", 'Such as {"emoji": "🚀"}.').optional(),
      }),
      answer: page,
      docs: docs("post-page"),
    },
    {
      id: "read-page",
      name: "Read a page",
      method: "GET",
      path: "/pages/{page_id}",
      parameters: z.object({ page_id: pageId }),
      answer: page,
      docs: docs("retrieve-a-page"),
    },
    {
      id: "update-page",
      name: "Update a page",
      method: "PATCH",
      path: "/pages/{page_id}",
      parameters: z.object({ page_id: pageId }),
      body: z.object({
        properties: properties.optional(),
        archived: flag("Archived", "Puts it into the trash, or takes it out.").optional(),
      }),
      answer: page,
      docs: docs("patch-page"),
    },
    {
      id: "query-database",
      name: "Query a database",
      method: "POST",
      path: "/databases/{database_id}/query",
      parameters: z.object({ database_id: databaseId }),
      body: z.object({
        filter: object("Filter", "Which pages, as Notion writes filters.").optional(),
        sorts: list("Sorts", "In which order.").optional(),
        start_cursor: start,
        page_size: size,
      }),
      answer: results,
      pages: { ...pages, in: "body" },
      docs: docs("post-database-query"),
    },
    {
      id: "read-database",
      name: "Read a database",
      method: "GET",
      path: "/databases/{database_id}",
      parameters: z.object({ database_id: databaseId }),
      answer: page,
      docs: docs("retrieve-a-database"),
    },
    {
      id: "append-blocks",
      name: "Append blocks",
      method: "PATCH",
      path: "/blocks/{block_id}/children",
      parameters: z.object({ block_id: text("Block", "The id of a page or block.") }),
      body: z.object({
        children: list("Blocks", "What to append, up to 100 blocks."),
        after: text("After", "The id of the block to append after.").optional(),
      }),
      answer: results,
      docs: docs("patch-block-children"),
    },
    {
      id: "list-blocks",
      name: "List blocks",
      method: "GET",
      path: "/blocks/{block_id}/children",
      parameters: z.object({ block_id: text("Block", "The id of a page or block."), page_size: size }),
      answer: results,
      pages,
      docs: docs("get-block-children"),
    },
    {
      id: "search",
      name: "Search",
      method: "POST",
      path: "/search",
      body: z.object({
        query: text("Text", "Words of the title.").optional(),
        filter: object("Filter", '{"property": "object", "value": "page"} or "database".').optional(),
        start_cursor: start,
        page_size: size,
      }),
      answer: results,
      pages: { ...pages, in: "body" },
      docs: docs("post-search"),
    },
    {
      id: "list-people",
      name: "List people",
      method: "GET",
      path: "/users",
      parameters: z.object({ page_size: size }),
      answer: results,
      pages,
      docs: docs("get-users"),
    },
  ],
});
