import { z } from "zod";
import { endpoint, idParams } from "./endpoint.ts";
import { flag, paging, searchText } from "./query.ts";
import { timestamp } from "./timestamp.ts";

const credentialKind = z.object({
  type: z.string().describe("The type of the stored credential"),
  help: z.string().describe("What to store, and where to get it from the service"),
  name: z.string().nullable().describe("Its name"),
  authorizationUrl: z.string().nullable().describe("Where a person consents"),
  tokenUrl: z.string().nullable().describe("Where tokens are fetched"),
  scopes: z.string().nullable().describe("What the operations need, separated by spaces"),
});

export const shownService = z.object({
  id: z.string().describe("Its id: a word such as `slack`, or `svc_…` for an imported one"),
  name: z.string().describe("Its name"),
  icon: z
    .object({
      letters: z.string().describe("One or two letters"),
      color: z.string().describe("Their background, as `#rrggbb`"),
    })
    .describe("Its tile"),
  description: z.string().describe("What it is for"),
  isImported: z.boolean().describe("Whether the workspace imported it from a document"),
  baseUrl: z.string().nullable().describe("The base URL of paths; null if it differs per customer"),
  baseUrlExample: z.string().nullable().describe("An example of such a URL"),
  sourceUrl: z
    .string()
    .nullable()
    .describe("The URL that its document was fetched from, without the query; null for uploads and built-in services"),
  credentials: z.array(credentialKind).describe("The credential types that it accepts"),
  operationCount: z.int().describe("How many operations it has"),
  updatedAt: timestamp.nullable().describe("When it was last changed"),
});

export const service = shownService.meta({ id: "Service" });

export const listedOperation = z
  .object({
    service: z.string().describe("The id of its service"),
    id: z.string().describe("Its id"),
    name: z.string().describe("What it does"),
    method: z.string().describe("The method of its request"),
    path: z.string().describe("The path of its request, below the base URL"),
    group: z.string().describe("The heading it is listed under"),
  })
  .meta({ id: "Operation" });

const schema = z.unknown().meta({ examples: [{ type: "object", properties: { channel: { type: "string" } } }] });

export const fullOperation = listedOperation
  .extend({
    description: z.string().describe("More about what it does"),
    parametersSchema: schema.describe("A JSON Schema of its parameters; null for none"),
    bodySchema: schema.describe("A JSON Schema of its body; null for none"),
    answerSchema: schema.describe("A JSON Schema of its answer; null where it is not known"),
    baseUrl: z.string().nullable().describe("The operation's own base URL; null if it is the service's"),
    hasPages: z.boolean().describe("Whether it returns a paginated list, all pages of which a call can fetch"),
    docs: z.string().nullable().describe("Where the service describes it"),
  })
  .meta({ id: "WholeOperation" });

const tag = "Services";

export const listServices = endpoint({
  method: "GET",
  path: "/services",
  tag,
  summary: "List services",
  description:
    "What the node `call` can call: the built-in services, and those that the workspace imported, which are listed first.",
  scope: "flows:read",
  query: z.object({
    ...paging,
    search: searchText("search").optional().describe("Words that must all match"),
    imported: flag("imported", false).describe("Only imported services"),
  }),
  shape: "list",
  answer: service,
});

export const listOperations = endpoint({
  method: "GET",
  path: "/operations",
  tag,
  summary: "List operations",
  description:
    "The operations of all services, or of one. With `search`, those whose service, name or path contains all its words, best matches first.",
  scope: "flows:read",
  query: z.object({
    ...paging,
    search: searchText("search").optional().describe("Words that must all match"),
    service: z
      .string("service must be given once")
      .max(100, "service must have at most 100 characters")
      .optional()
      .meta({ examples: ["slack"] })
      .describe("Only this service's: its id"),
  }),
  shape: "list",
  answer: listedOperation,
});

export const readService = endpoint({
  method: "GET",
  path: "/services/:id",
  tag,
  summary: "Read a service",
  description: "With the list of its operations.",
  scope: "flows:read",
  params: idParams("service"),
  answer: shownService
    .extend({ operations: z.array(listedOperation).describe("What it can do") })
    .meta({ id: "WholeService" }),
});

export const readOperation = endpoint({
  method: "GET",
  path: "/services/:id/operations/:operationId",
  tag,
  summary: "Read an operation",
  description: "With JSON Schemas of its inputs and answer, from which a node's form is built.",
  scope: "flows:read",
  params: z.object({
    id: z.string().describe("Its id: a word such as `slack`, or `svc_…` for an imported one"),
    operationId: z.string().describe("The operation's id"),
  }),
  answer: fullOperation,
});

export type ShownService = z.output<typeof service>;
export type ListedOperation = z.output<typeof listedOperation>;
export type WholeOperation = z.output<typeof fullOperation>;
