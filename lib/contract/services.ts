import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { flag, paging, searchText } from "./query.ts";
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
    parametersSchema: schema,
    bodySchema: schema,
    answerSchema: schema,
    hasPages: z.boolean(),
    docs: z.string().nullable(),
  })
  .meta({ id: "WholeOperation" });

const documentBytesMax = 5_242_880;
/** A document as a JSON text takes more bytes than by itself. */
const importBytesMax = 2 * documentBytesMax + 65_536;

const name = z
  .string("name must be text")
  .trim()
  .min(1, "name must not be empty")
  .max(100, "name must have at most 100 characters")
  .refine(isStorableText, "name must not contain U+0000 or unpaired surrogates");

const source = {
  document: z
    .union([z.string(), z.record(z.string(), z.unknown())], "document must be text, or an object")
    .optional()
    .meta({ type: ["string", "object"], anyOf: undefined }),
  url: z
    .string("url must be text")
    .max(2_000, "url must have at most 2000 characters")
    .regex(/^https?:\/\/[^\s@]+$/i, "url must be an http or https address without a user")
    .refine((text) => URL.canParse(text), "url must be an address")
    .optional()
    .meta({ examples: ["https://api.example.com/openapi.json"] }),
};

const newService = z
  .object({ name: name.optional(), ...source })
  .refine(({ document, url }) => (document === undefined) !== (url === undefined), {
    path: ["document"],
    message: "must have one of document and url",
  });

const serviceChanges = z
  .object({ name: name.optional(), ...source })
  .refine(({ document, url }) => document === undefined || url === undefined, {
    path: ["document"],
    message: "must not be given together with url",
  });

const touchedFlow = z.object({
  flowId: z.string(),
  flowName: z.string(),
  nodes: z.array(z.object({ id: z.string(), operation: z.string(), change: z.enum(["removed", "changed"]) })),
});

const imported = shownService
  .extend({ skipped: z.array(z.object({ operation: z.string(), reason: z.string() })) })
  .meta({ id: "ImportedService" });

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

export const importService = endpoint({
  method: "POST",
  path: "/services",
  tag,
  summary: "Import an OpenAPI document",
  description: `Makes a service of an OpenAPI document of version 3.0 or 3.1, in JSON or YAML: as a text or an object, or from its address, which
has to be a public one. At most 5 MiB and 2,000 operations; a \`$ref\` must stay within the document. Its security schemes become kinds of
credentials, its first server the base URL. \`skipped\` names operations that cannot be called. The name is the document's title when missing,
and each is in the workspace once; a workspace has at most 50.`,
  scope: "flows:write",
  body: newService,
  bodyRequired: true,
  bodyBytesMax: importBytesMax,
  shape: "data",
  status: 201,
  answer: imported,
});

export const updateService = endpoint({
  method: "PUT",
  path: "/services/:id",
  tag,
  summary: "Import again, or rename",
  description: `With \`document\` or \`url\`, its operations become those of the document: \`changes\` tells which are new, gone or changed in what they take,
and \`flows\` whose nodes that touches. With \`dryRun=true\` nothing changes.`,
  scope: "flows:write",
  params: idParams,
  query: z.object({ dryRun: flag("dryRun", false) }),
  body: serviceChanges,
  bodyBytesMax: importBytesMax,
  shape: "data",
  status: 200,
  answer: imported
    .extend({
      changes: z.object({ added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) }),
      flows: z.array(touchedFlow),
    })
    .meta({ id: "ReimportedService" }),
});

export const deleteService = endpoint({
  method: "DELETE",
  path: "/services/:id",
  tag,
  summary: "Delete an imported service",
  description: "For good. Nodes that call it fail from then on with `SERVICE_NOT_FOUND`.",
  scope: "flows:write",
  params: idParams,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export type NewService = z.output<typeof newService>;
export type ServiceChanges = z.output<typeof serviceChanges>;
export type Imported = z.output<typeof imported>;
export type Reimported = z.output<typeof updateService.answer>;
export type TouchedFlow = z.output<typeof touchedFlow>;
export type ShownService = z.output<typeof service>;
export type ListedOperation = z.output<typeof listedOperation>;
export type WholeOperation = z.output<typeof wholeOperation>;
