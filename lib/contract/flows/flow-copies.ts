import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { execution } from "#lib/contract/executions/executions.ts";
import { flag } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowName, jsonObject } from "#lib/engine/flow.ts";
import { flowTestDocument, testLimits } from "./flow-test-document.ts";
import { flowTest } from "./flow-tests.ts";
import { createdFlow, flow, newFlow, shownEdge, shownNode, shownObject, shownTrigger } from "./flows.ts";

/** The format of exported documents; imports accept every document of the same major version. */
export const exportVersion = "1.0.0";

const exportedTest = flowTest
  .pick({ name: true, trigger: true, now: true, recordings: true, expect: true })
  .extend({ deep: z.boolean().optional() });

/** The forms in which a flow is exported. */
const exportFormats = ["json", "yaml"] as const;

const tag = "Flows";

export const duplicateFlow = endpoint({
  method: "POST",
  path: "/flows/:id/duplicate",
  tag,
  summary: "Copy a flow",
  description: "The copy is a draft with a trigger URL of its own, the tests of the flow, and no executions.",
  scope: "flows:write",
  params: idParams,
  body: z.object({
    name: flowName.nullish(),
    includeVariables: z.boolean("includeVariables must be true or false").optional().default(true),
    includeConnections: z.boolean("includeConnections must be true or false").optional().default(true),
  }),
  shape: "data",
  status: 201,
  answer: flow.pick({ id: true, name: true, status: true, createdAt: true }),
});

export const exportFlow = endpoint({
  method: "GET",
  path: "/flows/:id/export",
  tag,
  summary: "Export a flow",
  description:
    "The document stands by itself, without the envelope; `POST /flows/import` takes it. With `format=yaml` it is canonical text (docs/flows-as-code.md), without executions. `includeExecutions` needs the scope `executions:read` too.",
  alsoYaml: "answer",
  scope: "flows:read",
  flagScopes: { includeExecutions: "executions:read" },
  params: idParams,
  query: z
    .object({
      includeVariables: flag("includeVariables", true),
      includeExecutions: flag("includeExecutions", false),
      format: z
        .enum(exportFormats, `format must be one of ${exportFormats.join(", ")}`)
        .optional()
        .default("json"),
    })
    .refine(({ format, includeExecutions }) => format === "json" || !includeExecutions, {
      path: ["includeExecutions"],
      message: "includeExecutions goes with format json",
    }),
  shape: "bare",
  status: 200,
  answer: z.object({
    version: z.string(),
    exportedAt: timestamp,
    flow: z.object({
      name: z.string(),
      description: z.string().nullable(),
      trigger: shownTrigger,
      nodes: z.array(shownNode),
      edges: z.array(shownEdge),
      variables: shownObject.optional(),
      settings: shownObject.optional(),
    }),
    tests: z.array(exportedTest).optional(),
    executions: z.array(execution).optional(),
  }),
});

const documentVersion = z
  .string("version must be text")
  .refine((version) => /^1(\.\d+){0,2}$/.test(version), "only documents of version 1 can be imported");

/** Where documents of other services come from. */
export const importFormats = ["n8n"] as const;

export const importReport = z.object({
  converted: z.int(),
  gaps: z.array(z.object({ node: z.string(), type: z.string(), reason: z.string(), nodeId: z.string().nullable() })),
});

export const importFlow = endpoint({
  method: "POST",
  path: "/flows/import",
  tag,
  summary: "Import a flow",
  checksVersion: true,
  description: `Always makes a new draft with a trigger URL of its own. With \`format: "n8n"\`, \`document\` is a workflow that n8n
exported: it is converted, and \`report\` lists what is left to mend. What cannot be converted becomes a \`stop\` node that says
what it was. A flow's canonical text is taken as \`text\`, or as the whole body with \`Content-Type: application/yaml\`;
problems in it are told with their lines and columns.`,
  alsoYaml: "body",
  scope: "flows:write",
  body: z
    .object({
      name: flowName.nullish(),
      data: z
        .object(
          {
            version: documentVersion,
            flow: newFlow.omit({ status: true }),
            tests: z
              .array(flowTestDocument, "tests must be an array of tests")
              .max(testLimits.testsMax, `a flow has at most ${testLimits.testsMax} tests`)
              .optional(),
          },
          "data must be an exported document",
        )
        .optional(),
      format: z.enum(importFormats, `format must be one of ${importFormats.join(", ")}`).optional(),
      document: jsonObject("document").optional(),
      text: z.string("text must be text").optional(),
      overwriteVariables: z.boolean("overwriteVariables must be true or false").optional().default(true),
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
  shape: "data",
  status: 201,
  answer: createdFlow.extend({ report: importReport.optional() }),
});
