// Services imported from OpenAPI documents: import, reimport, delete, and where they are used.
import { z } from "zod";
import { flowStatuses, isStorableText } from "#lib/engine/flow.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { flag } from "./query.ts";
import { shownService } from "./services.ts";

const documentBytesMax = 5_242_880;
/** A document embedded as a JSON string takes more bytes than on its own. */
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

const callingNodes = z
  .array(
    z.object({
      id: z.string().describe("Its id"),
      name: z.string().describe("Its name"),
      operation: z.string().describe("The id of the operation that it calls"),
    }),
  )
  .describe("Nodes that call it, including those in loops");

const serviceUse = z.object({
  flowId: z.string().describe("The flow's id"),
  flowName: z.string().describe("The flow's name"),
  flowStatus: z.enum(flowStatuses).describe("The flow's status"),
  nodes: callingNodes,
  draftNodes: callingNodes.optional().describe("Those of the flow's working copy, if any"),
});

export const listServiceUses = endpoint({
  method: "GET",
  path: "/services/:id/uses",
  tag,
  summary: "List where a service is used",
  description:
    "The flows whose current version or working copy has nodes that call it, by name. Searches up to 200 flows that mention it.",
  scope: "flows:read",
  params: idParams("service"),
  answer: z.array(serviceUse),
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
  status: 201,
  answer: imported,
});

export const updateService = endpoint({
  method: "PUT",
  path: "/services/:id",
  tag,
  summary: "Reimport or rename a service",
  description: `With \`document\` or \`url\`, its operations become those of the document: \`changes\` lists those that are new, removed or have different inputs, and \`flows\` the affected flows and nodes. With \`dryRun=true\` nothing changes, and an import from the same \`url\` in the next ten minutes uses the document that was fetched.`,
  scope: "flows:write",
  params: idParams("service"),
  query: z.object({ dryRun: flag("dryRun", false).describe("Only report what would change") }),
  body: serviceChanges,
  bodyBytesMax: importBytesMax,
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
});

export type NewService = z.output<typeof newService>;
export type ServiceChanges = z.output<typeof serviceChanges>;
export type Imported = z.output<typeof imported>;
export type Reimported = z.output<typeof updateService.answer>;
export type TouchedFlow = z.output<typeof touchedFlow>;
export type ServiceUse = z.output<typeof serviceUse>;
