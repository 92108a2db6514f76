import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { execution } from "#lib/contract/executions/executions.ts";
import { flag } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowName, jsonObject } from "#lib/engine/flow.ts";
import { flowTestDocument, testLimits } from "./flow-test-document.ts";
import { flowTest } from "./flow-tests.ts";
import { newFlow } from "./flows.ts";
import { createdFlow, flow, shownEdge, shownNode, shownObject, shownTrigger } from "./shown-flow.ts";

/** The format of exported documents; imports accept every document of the same major version. */
export const exportVersion = "1.0.0";

const exportedTest = flowTest.pick({ name: true, trigger: true, now: true, recordings: true, expect: true }).extend({
  deep: z.boolean().optional().describe("Whether sub-flows are replayed too, with the recordings of their own nodes"),
});

/** The formats of an exported flow. */
const exportFormats = ["json", "yaml"] as const;

const tag = "Flows";

export const duplicateFlow = endpoint({
  method: "POST",
  path: "/flows/:id/duplicate",
  tag,
  summary: "Copy a flow",
  description: "The copy is a draft with a trigger URL of its own, the tests of the flow, and no executions.",
  scope: "flows:write",
  params: idParams("flow"),
  body: z.object({
    name: flowName.nullish().describe("Its name"),
    includeVariables: z
      .boolean("includeVariables must be true or false")
      .optional()
      .default(true)
      .describe("Whether its variables are included"),
    includeConnections: z
      .boolean("includeConnections must be true or false")
      .optional()
      .default(true)
      .describe("Whether its edges are copied"),
  }),
  status: 201,
  answer: flow.pick({ id: true, name: true, status: true, createdAt: true }),
});

export const exportFlow = endpoint({
  method: "GET",
  path: "/flows/:id/export",
  tag,
  summary: "Export a flow",
  description:
    "The document itself, without the envelope; `POST /flows/import` accepts it. With `format=yaml` it is canonical text (docs/flows-as-code.md), without executions. `includeExecutions` needs the scope `executions:read` too.",
  alsoYaml: "answer",
  scope: "flows:read",
  flagScopes: { includeExecutions: "executions:read" },
  params: idParams("flow"),
  query: z
    .object({
      includeVariables: flag("includeVariables", true).describe("Whether its variables are included"),
      includeExecutions: flag("includeExecutions", false).describe(
        "Whether its latest 100 executions are included: needs `executions:read` too",
      ),
      format: z
        .enum(exportFormats, `format must be one of ${exportFormats.join(", ")}`)
        .optional()
        .default("json")
        .describe("The document's format: JSON, or canonical text"),
    })
    .refine(({ format, includeExecutions }) => format === "json" || !includeExecutions, {
      path: ["includeExecutions"],
      message: "includeExecutions goes with format json",
    }),
  shape: "bare",
  answer: z.object({
    version: z.string().describe("Version of the document format"),
    exportedAt: timestamp.describe("When it was exported"),
    flow: z
      .object({
        name: z.string().describe("Its name"),
        description: z.string().nullable().describe("What it is for"),
        tags: z.array(z.string()).optional().describe("Labels to find it by"),
        trigger: shownTrigger.describe("What starts it"),
        nodes: z.array(shownNode).describe("Its nodes"),
        edges: z.array(shownEdge).describe("How nodes follow one another"),
        variables: shownObject.optional().describe("Values that its expressions read as `$vars`"),
        settings: shownObject.optional().describe("Limits of its runs, and canvas settings"),
      })
      .describe("The flow's definition"),
    tests: z.array(exportedTest).optional().describe("Tests: a flow's expected results over recorded data"),
    executions: z.array(execution).optional().describe("The latest executions, as single reads"),
  }),
});

const documentVersion = z
  .string("version must be text")
  .refine((version) => /^1(\.\d+){0,2}$/.test(version), "only documents of version 1 can be imported");

/** A flow of a request's size with all its tests, as an export writes it. */
const importBytesMax = 8 * 1_048_576;
/** What a test holds may be deeper than a request: data of calls, and outputs of nodes. */
export const importLevelsMax = 520;

/** Other services whose documents can be imported. */
export const importFormats = ["n8n"] as const;

export const importReport = z.object({
  converted: z.int().describe("How many of its nodes work here as they did there"),
  gaps: z
    .array(
      z.object({
        node: z.string().describe("The node's name in the document"),
        type: z.string().describe("The node's type in the document"),
        reason: z.string().describe("What works differently, or what it needs"),
        nodeId: z.string().nullable().describe("The node of the flow to fix; null if there is none"),
        credential: z
          .object({
            name: z.string().describe("The name that the flow calls it by"),
            type: z.string().describe("Its type"),
          })
          .optional()
          .describe("The credential to create, if that is what is left to do"),
      }),
    )
    .describe("What is left to fix, one entry each"),
});

export const importFlow = endpoint({
  method: "POST",
  path: "/flows/import",
  tag,
  summary: "Import a flow",
  checksVersion: true,
  description: `Always makes a new draft with a trigger URL of its own. With \`format: "n8n"\`, \`document\` is a workflow that n8n
exported: it is converted, and \`report\` lists what is left to fix. A node that cannot be converted becomes a \`stop\` node that describes the original. Send a flow's canonical text as \`text\`, or as the whole body with \`Content-Type: application/yaml\`; its problems are reported with lines and columns.`,
  alsoYaml: "body",
  scope: "flows:write",
  body: z
    .object({
      name: flowName.nullish().describe("Its name"),
      data: z
        .object(
          {
            version: documentVersion.describe("Version of the document format: 1, or one that starts with `1.`"),
            flow: newFlow
              .omit({ status: true })
              .extend({ name: flowName.nullish().describe("Its name; required unless the request gives one") })
              .describe("The flow's definition"),
            tests: z
              .array(flowTestDocument, "tests must be an array of tests")
              .max(testLimits.testsMax, `a flow has at most ${testLimits.testsMax} tests`)
              .optional()
              .describe("Tests: a flow's expected results over recorded data"),
          },
          "data must be an exported document",
        )
        .optional()
        .describe("The exported document"),
      format: z
        .enum(importFormats, `format must be one of ${importFormats.join(", ")}`)
        .optional()
        .describe("The service that the document is of; without it, `data` is an export of this one"),
      document: jsonObject("document").optional().describe("The other service's document"),
      text: z
        .string("text must be text")
        .optional()
        .describe("A flow as canonical text (docs/flows-as-code.md), instead of `data`"),
      overwriteVariables: z
        .boolean("overwriteVariables must be true or false")
        .optional()
        .default(true)
        .describe("False: variables that the newest flow with the same name also has keep that flow's values"),
    })
    .superRefine(({ data, format, document, text }, context) => {
      const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (text !== undefined) {
        for (const [path, other] of Object.entries({ data, format, document })) {
          if (other !== undefined) refuse(path, `${path} is for documents that are no text`);
        }
        return;
      }
      if (format === undefined && data === undefined) refuse("data", "data must be an exported document");
      if (format !== undefined && document === undefined) refuse("document", "document must be an object");
      if (format !== undefined && data !== undefined) refuse("data", "data is for documents without a format");
      if (format === undefined && document !== undefined) refuse("format", "format is required with a document");
    }),
  bodyRequired: true,
  bodyBytesMax: importBytesMax,
  bodyLevelsMax: importLevelsMax,
  status: 201,
  answer: createdFlow.extend({
    report: importReport
      .optional()
      .describe("What the document's nodes became; only for documents from other services"),
  }),
});
