import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { flag, paging, searchText } from "./query.ts";
import { timestamp } from "./timestamp.ts";

const credentialKind = z.object({
  type: z.string().describe("The type of the stored credential"),
  help: z.string().describe("What to store, and where the service gives it out"),
  name: z.string().nullable().describe("What it is called"),
  authorizationUrl: z.string().nullable().describe("Where a person agrees"),
  tokenUrl: z.string().nullable().describe("Where tokens are fetched"),
  scopes: z.string().nullable().describe("What the operations need, with spaces between"),
});

const shownService = z.object({
  id: z.string().describe("Its id: a word such as `slack`, or `svc_…` of one that was imported"),
  name: z.string().describe("What it is called"),
  icon: z
    .object({
      letters: z.string().describe("One or two letters"),
      color: z.string().describe("Their background, as `#rrggbb`"),
    })
    .describe("Its tile"),
  description: z.string().describe("What it is for"),
  /** Whether the workspace made it of a document. */
  isImported: z.boolean().describe("Whether the workspace made it of a document"),
  baseUrl: z
    .string()
    .nullable()
    .describe("The address that paths are below; null where each customer has an address of their own"),
  baseUrlExample: z.string().nullable().describe("What such an address looks like"),
  credentials: z.array(credentialKind).describe("The kinds of credentials that it takes"),
  operationCount: z.int().describe("How many operations it has"),
  updatedAt: timestamp.nullable().describe("When it was changed last"),
});

export const service = shownService.meta({ id: "Service" });

export const listedOperation = z
  .object({
    service: z.string().describe("The id of its service"),
    id: z.string().describe("Its id"),
    name: z.string().describe("What it does"),
    method: z.string().describe("The method of its request"),
    path: z.string().describe("The path of its request, below the base URL"),
    group: z.string().describe("The heading that it stands under"),
  })
  .meta({ id: "Operation" });

const schema = z.unknown().meta({ examples: [{ type: "object", properties: { channel: { type: "string" } } }] });

export const wholeOperation = listedOperation
  .extend({
    description: z.string().describe("More of what it does"),
    parametersSchema: schema.describe("A JSON Schema of its parameters; null for none"),
    bodySchema: schema.describe("A JSON Schema of its body; null for none"),
    answerSchema: schema.describe("A JSON Schema of its answer; null where it is not known"),
    hasPages: z.boolean().describe("Whether it gives a list in pages, which a call can fetch all of"),
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
    .describe("The document's address"),
};

const newService = z
  .object({ name: name.optional().describe("What it is called; the document's title when missing"), ...source })
  .refine(({ document, url }) => (document === undefined) !== (url === undefined), {
    path: ["document"],
    message: "must have one of document and url",
  });

const serviceChanges = z
  .object({ name: name.optional().describe("What it is called; the document's title when missing"), ...source })
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
        change: z.enum(["removed", "changed"]).describe("Whether the operation is gone or changed"),
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
    "What the node `call` can call: the services that come with Millrace, and those that the workspace imported, which come first.",
  scope: "flows:read",
  query: z.object({ ...paging, search: searchText("search").optional().describe("Words that are all to be found") }),
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
    search: searchText("search").optional().describe("Words that are all to be found"),
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
  description: "With JSON Schemas of what it takes and answers, from which a node's form is made.",
  scope: "flows:read",
  params: z.object({
    id: z.string().describe("Its id: a word such as `slack`, or `svc_…` of one that was imported"),
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
  summary: "Re-import or rename a service",
  description: `With \`document\` or \`url\`, its operations become those of the document: \`changes\` tells which are new, gone or changed in what they take,
and \`flows\` whose nodes that touches. With \`dryRun=true\` nothing changes.`,
  scope: "flows:write",
  params: idParams("service"),
  query: z.object({ dryRun: flag("dryRun", false).describe("Only tells what would change") }),
  body: serviceChanges,
  bodyBytesMax: importBytesMax,
  shape: "data",
  status: 200,
  answer: imported
    .extend({
      changes: z
        .object({
          added: z.array(z.string()).describe("Ids of new operations"),
          removed: z.array(z.string()).describe("Ids of operations that are gone"),
          changed: z.array(z.string()).describe("Ids of operations that take something else than before"),
        })
        .describe("How the operations differ from those before"),
      flows: z.array(touchedFlow).describe("Flows whose nodes call what is gone or changed"),
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
