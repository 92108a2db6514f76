import { z } from "zod";
import { endpoint, idParams } from "./endpoint.ts";
import { paging, searchText } from "./query.ts";
import { timestamp } from "./timestamp.ts";

const credentialKind = z.object({
  type: z.string(),
  help: z.string(),
  name: z.string().nullable(),
  authorizationUrl: z.string().nullable(),
  tokenUrl: z.string().nullable(),
  scopes: z.string().nullable(),
});

const shownService = z.object({
  id: z.string(),
  name: z.string(),
  icon: z.object({ letters: z.string(), color: z.string() }),
  description: z.string(),
  /** Whether the workspace made it of a document. */
  isImported: z.boolean(),
  baseUrl: z.string().nullable(),
  baseUrlExample: z.string().nullable(),
  credentials: z.array(credentialKind),
  operationCount: z.int(),
  updatedAt: timestamp.nullable(),
});

export const service = shownService.meta({ id: "Service" });

export const listedOperation = z
  .object({
    service: z.string(),
    id: z.string(),
    name: z.string(),
    method: z.string(),
    path: z.string(),
    group: z.string(),
  })
  .meta({ id: "Operation" });

const schema = z.unknown().meta({ examples: [{ type: "object", properties: { channel: { type: "string" } } }] });

export const wholeOperation = listedOperation
  .extend({
    description: z.string(),
    parameters: schema,
    body: schema,
    answer: schema,
    hasPages: z.boolean(),
    docs: z.string().nullable(),
  })
  .meta({ id: "WholeOperation" });

const tag = "Services";

export const listServices = endpoint({
  method: "GET",
  path: "/services",
  tag,
  summary: "List services",
  description:
    "What the node `call` can call: the services that come with Millrace, and those that the workspace imported, which come first.",
  scope: "flows:read",
  query: z.object({ ...paging, search: searchText("search").optional() }),
  shape: "list",
  status: 200,
  answer: service,
});

export const listOperations = endpoint({
  method: "GET",
  path: "/operations",
  tag,
  summary: "List operations",
  description:
    "The operations of all services, or of one. With `search`, those whose service, name or path has all its words, the best first.",
  scope: "flows:read",
  query: z.object({
    ...paging,
    search: searchText("search").optional(),
    service: z
      .string("service must be given once")
      .max(100, "service must have at most 100 characters")
      .optional()
      .meta({ examples: ["slack"] }),
  }),
  shape: "list",
  status: 200,
  answer: listedOperation,
});

export const readService = endpoint({
  method: "GET",
  path: "/services/:id",
  tag,
  summary: "Read a service",
  description: "With the list of its operations.",
  scope: "flows:read",
  params: idParams,
  shape: "data",
  status: 200,
  answer: shownService.extend({ operations: z.array(listedOperation) }).meta({ id: "WholeService" }),
});

export const readOperation = endpoint({
  method: "GET",
  path: "/services/:id/operations/:operationId",
  tag,
  summary: "Read an operation",
  description: "With JSON Schemas of what it takes and answers, from which a node's form is made.",
  scope: "flows:read",
  params: z.object({ id: z.string(), operationId: z.string() }),
  shape: "data",
  status: 200,
  answer: wholeOperation,
});

export type ShownService = z.output<typeof service>;
export type ListedOperation = z.output<typeof listedOperation>;
export type WholeOperation = z.output<typeof wholeOperation>;
