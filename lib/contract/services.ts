import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
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

const shownService = z.object({
  id: z.string().describe("Its id: a word such as `slack`, or `svc_…` for an imported one"),
  name: z.string().describe("Its name"),
  icon: z
    .object({
      letters: z.string().describe("One or two letters"),
      color: z.string().describe("Their background, as `#rrggbb`"),
    })
    .describe("Its tile"),
  description: z.string().describe("What it is for"),
  /** Whether the workspace made it of a document. */
  isImported: z.boolean().describe("Whether the workspace imported it from a document"),
  baseUrl: z.string().nullable().describe("The base URL of paths; null if it differs per customer"),
  baseUrlExample: z.string().nullable().describe("An example of such a URL"),
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

export const wholeOperation = listedOperation
  .extend({
    description: z.string().describe("More about what it does"),
    parametersSchema: schema.describe("A JSON Schema of its parameters; null for none"),
    bodySchema: schema.describe("A JSON Schema of its body; null for none"),
    answerSchema: schema.describe("A JSON Schema of its answer; null where it is not known"),
    hasPages: z.boolean().describe("Whether it returns a paginated list, all pages of which a call can fetch"),
    docs: z.string().nullable().describe("Where the service describes it"),
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
    .meta({ type: ["string", "object"], anyOf: undefined })
    .describe("The OpenAPI document, as a text or an object"),
  url: z
    .string("url must be text")
    .max(2_000, "url must have at most 2000 characters")
    .regex(/^https?:\/\/[^\s@]+$/i, "url must be an http or https address without a user")
    .refine((text) => URL.canParse(text), "url must be an address")
    .optional()
    .meta({ examples: ["https://api.example.com/openapi.json"] })
    .describe("The document's URL"),
};

const newService = z
  .object({ name: name.optional().describe("Its name; the document's title by default"), ...source })
  .refine(({ document, url }) => (document === undefined) !== (url === undefined), {
    path: ["document"],
    message: "must have one of document and url",
  });

const serviceChanges = z
  .object({ name: name.optional().describe("Its name; the document's title by default"), ...source })
  .refine(({ document, url }) => document === undefined || url === undefined, {
    path: ["document"],
    message: "must not be given together with url",
  });

const touchedFlow = z.object({
  flowId: z.string().describe("The flow's id"),
  flowName: z.string().describe("The flow's name"),
  nodes: z
    .array(
      z.object({
        id: z.string().describe("Its id"),
        operation: z.string().describe("Its method and path, or its id"),
        change: z.enum(["removed", "changed"]).describe("Whether the operation was removed or changed"),
      }),
    )
    .describe("These nodes"),
});

const imported = shownService
  .extend({
    skipped: z
      .array(
        z.object({
          operation: z.string().describe("Its method and path, or its id"),
          reason: z.string().describe("Why it cannot be called"),
        }),
      )
      .describe("Operations of the document that cannot be called"),
  })
  .meta({ id: "ImportedService" });

const tag = "Services";

export const listServices = endpoint({
  method: "GET",
  path: "/services",
  tag,
  summary: "List services",
  description:
    "What the node `call` can call: the built-in services, and those that the workspace imported, which are listed first.",
  scope: "flows:read",
  query: z.object({ ...paging, search: searchText("search").optional().describe("Words that must all match") }),
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
  params: idParams("service"),
  shape: "data",
  status: 200,
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
  shape: "data",
  status: 200,
  answer: wholeOperation,
});

export const importService = endpoint({
  method: "POST",
  path: "/services",
  tag,
  summary: "Import an OpenAPI document",
  description: `Imports an OpenAPI 3.0 or 3.1 document, in JSON or YAML, as a service: as a text or an object, or from its URL, which must be public. At most 5 MiB and 2,000 operations; a \`$ref\` must stay within the document. Its security schemes become credential types, its first server the base URL. \`skipped\` lists operations that cannot be called. The name defaults to the document's title and is unique in the workspace; a workspace has at most 50 services.`,
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
  summary: "Re-import or rename a service",
  description: `With \`document\` or \`url\`, its operations become those of the document: \`changes\` lists those that are new, removed or have different inputs, and \`flows\` the affected flows and nodes. With \`dryRun=true\` nothing changes.`,
  scope: "flows:write",
  params: idParams("service"),
  query: z.object({ dryRun: flag("dryRun", false).describe("Only report what would change") }),
  body: serviceChanges,
  bodyBytesMax: importBytesMax,
  shape: "data",
  status: 200,
  answer: imported
    .extend({
      changes: z
        .object({
          added: z.array(z.string()).describe("Ids of new operations"),
          removed: z.array(z.string()).describe("Ids of removed operations"),
          changed: z.array(z.string()).describe("Ids of operations with different inputs"),
        })
        .describe("How the operations differ from the previous ones"),
      flows: z.array(touchedFlow).describe("Flows whose nodes call a removed or changed operation"),
    })
    .meta({ id: "ReimportedService" }),
});

export const deleteService = endpoint({
  method: "DELETE",
  path: "/services/:id",
  tag,
  summary: "Delete an imported service",
  description: "Permanently. Nodes that call it fail with `SERVICE_NOT_FOUND` from then on.",
  scope: "flows:write",
  params: idParams("service"),
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
