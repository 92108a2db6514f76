import { z } from "zod";
import { isJsonObject, type JsonObject } from "./json.ts";
import { inputSchemaProblem } from "./offers/flow-input.ts";
import { ownToolPrefix, toolNamePattern } from "./offers/tool-name.ts";

/** Limits of a flow document (docs/api.md, "What a flow may contain"). */
export const flowLimits = {
  nameCharactersMax: 255,
  descriptionCharactersMax: 5_000,
  summaryCharactersMax: 500,
  tagsMax: 50,
  tagCharactersMax: 64,
  /** Of nesting, the flow being the first: as many as a request's body may have. */
  levelsMax: 64,
  /** The same in a request that has the flow as one of its fields, such as `definition`. */
  wrappedLevelsMax: 65,
  nodesMax: 1_000,
  edgesMax: 5_000,
  nodeIdCharactersMax: 255,
  /** In all nodes together: every check of the flow pays for each, however short it is. */
  expressionsMax: 10_000,
  /** Every run evaluates it. */
  concurrencyKeyCharactersMax: 4_096,
  /** A flow's description for assistants. */
  offerCharactersMax: 2_000,
} as const;

export const flowStatuses = ["draft", "inactive", "active"] as const;
export const triggerTypes = ["webhook", "manual", "schedule", "form", "table", "error", "poll", "rss", "mail"] as const;
/** Triggers with a URL: programs call a webhook, people open a form. */
export const calledTriggers = ["webhook", "form"] as const;
export type CalledTrigger = (typeof calledTriggers)[number];
export function isCalledTrigger(type: string): type is CalledTrigger {
  return calledTriggers.some((called) => called === type);
}
/** How a form asks for a field. */
/** The type of a form's field that takes a file. */
export const fileField = "file";
export const formFieldTypes = ["text", "textarea", "number", "checkbox", "select", "email", "date", fileField] as const;
/** What can happen to a row of a table. */
export const rowChanges = ["inserted", "updated", "deleted"] as const;
export type RowChangeKind = (typeof rowChanges)[number];
/** Triggers that poll for items. */
export function isPollTrigger(type: string): type is "poll" | "rss" | "mail" {
  return type === "poll" || type === "rss" || type === "mail";
}
/** Which polled items start runs: those with a new key, or also those that changed. */
export const pollModes = ["new", "changed"] as const;
export const triggerMethods = ["POST", "GET", "PUT", "PATCH", "DELETE"] as const;
export const triggerAuthentications = ["none", "basic", "header", "bearer", "hmac"] as const;
/** Senders whose signature scheme is known: `config.preset`, with `authentication: "hmac"`. */
export const signaturePresets = ["github", "stripe", "shopify", "standard-webhooks"] as const;

/** The source of an edge that starts at the trigger. */
export const triggerSource = "trigger";

/** The unit separator: in step ids, it separates a node's id from its loop iterations. */
export const stepSeparator = "\u001f";

/** Text that a database column and a URL can hold: no U+0000, no lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** The text with U+FFFD replacing what a database column cannot hold. */
export function toStorableText(text: string): string {
  return text.replaceAll("\u0000", "\ufffd").toWellFormed();
}

const storable = (label: string) =>
  z.string(`${label} must be text`).refine(isStorableText, `${label} must not contain U+0000 or unpaired surrogates`);

/** Free-form JSON: stored unchanged, whatever its keys. */
export const jsonObject = (label: string) =>
  z
    .unknown()
    // Later checks read its members.
    .refine((value) => isJsonObject(value), { error: `${label} must be an object`, abort: true })
    .transform((value) => value as JsonObject)
    .meta({ type: "object", additionalProperties: true });

export const flowName = storable("name")
  .trim()
  .min(1, "name must not be empty")
  .max(flowLimits.nameCharactersMax, `name must have at most ${flowLimits.nameCharactersMax} characters`);

export const flowDescription = storable("description").max(
  flowLimits.descriptionCharactersMax,
  `description must have at most ${flowLimits.descriptionCharactersMax} characters`,
);

export const versionSummary = storable("summary")
  .trim()
  .max(flowLimits.summaryCharactersMax, `summary must have at most ${flowLimits.summaryCharactersMax} characters`);

export const flowStatus = z.enum(flowStatuses, `status must be one of ${flowStatuses.join(", ")}`);

export const flowTags = z
  .array(
    storable("a tag")
      .min(1, "a tag must not be empty")
      .max(flowLimits.tagCharactersMax, `a tag must have at most ${flowLimits.tagCharactersMax} characters`),
    "tags must be an array of text",
  )
  .max(flowLimits.tagsMax, `a flow has at most ${flowLimits.tagsMax} tags`);

export const flowVariables = jsonObject("variables");

/** How a flow starts. The service generates `config.url` of a webhook or form and ignores what a client sends there. */
export const flowTrigger = z
  .object(
    {
      type: z.enum(triggerTypes, `unknown trigger type; known are ${triggerTypes.join(", ")}`).describe("Its type"),
      config: jsonObject("config").optional().default({}).describe("Its settings"),
    },
    "trigger must be an object with a type",
  )
  .superRefine((trigger, context) => {
    const allowed = {
      method: triggerMethods,
      authentication: triggerAuthentications,
      preset: signaturePresets,
      respond: ["immediately"],
    };
    for (const [field, values] of Object.entries(allowed)) {
      const value = trigger.config[field];
      const isOfIt =
        trigger.type === "webhook" || (trigger.type === "form" && field !== "method" && field !== "preset");
      if (!isOfIt || value === undefined) continue;
      if (typeof value === "string" && (values as readonly string[]).includes(value)) continue;
      context.addIssue({
        code: "custom",
        path: ["config", field],
        message: `${field} must be one of ${values.join(", ")}`,
      });
    }
  });

const finite = z.number("must be a finite number");

export const flowNode = z
  .object(
    {
      id: storable("id")
        .min(1, "id must not be empty")
        .max(flowLimits.nodeIdCharactersMax, `id must have at most ${flowLimits.nodeIdCharactersMax} characters`)
        .refine((id) => !id.includes(stepSeparator), "id must not contain U+001F")
        .describe("Its id"),
      type: z.string("type must be text").describe("Its type"),
      name: storable("name")
        .max(flowLimits.nameCharactersMax, `name must have at most ${flowLimits.nameCharactersMax} characters`)
        .optional()
        .describe("Its name"),
      position: z
        .object(
          { x: finite.describe("Pixels to the right"), y: finite.describe("Pixels down") },
          "position must be {x, y}",
        )
        .optional()
        .default({ x: 0, y: 0 })
        .describe("Its position on the canvas"),
      config: jsonObject("config").optional().default({}).describe("Its settings"),
      disabled: z
        .boolean("disabled must be true or false")
        .optional()
        .describe("True: the node is skipped, and its input is passed on along its plain handle"),
    },
    "a node must be an object",
  )
  .transform((node) => ({ ...node, name: node.name ?? node.id }));

/** React Flow's field names. Fields that a client did not send are not added. */
export const flowEdge = z.object(
  {
    id: storable("id").optional().describe("Its id"),
    source: z.string("source must be a node id").describe("Id of the node it starts at, or `trigger`"),
    target: z.string("target must be a node id").describe("Id of the node that it leads to"),
    sourceHandle: z
      .string("sourceHandle must be text")
      .nullish()
      .describe("The node's output it starts at: `true`, `false`, a case, `error` …"),
    targetHandle: storable("targetHandle").nullish().describe("Kept for the client"),
    label: storable("label")
      .nullish()
      .describe("The text beside it; `true`/`yes`/`then` and `false`/`no`/`else` count as handles of an if-else"),
  },
  "an edge must be an object",
);

export const flowNodes = z
  .array(flowNode, "nodes must be an array")
  .max(flowLimits.nodesMax, `a flow has at most ${flowLimits.nodesMax} nodes`);

export const flowEdges = z
  .array(flowEdge, "edges must be an array")
  .max(flowLimits.edgesMax, `a flow has at most ${flowLimits.edgesMax} edges`);

const positiveInteger = (label: string, max: number) =>
  z
    .int(`${label} must be a whole number`)
    .min(1, `${label} must be at least 1`)
    .max(max, `${label} must be at most ${max}`);

/** How a flow is offered to assistants as a tool, while it is active. */
const flowOffer = z.object(
  {
    expose: z
      .boolean("expose must be true or false")
      .optional()
      .describe("Whether assistants find the flow as a tool while it is active"),
    name: z
      .string("name must be text")
      .regex(toolNamePattern, "name must have 1 to 64 letters a-z, digits, _ or -")
      .refine((name) => !name.startsWith(ownToolPrefix), `name must not begin with ${ownToolPrefix}`)
      .optional()
      .describe("The tool's name; derived from the flow's by default"),
    description: storable("description")
      .max(flowLimits.offerCharactersMax, `description must have at most ${flowLimits.offerCharactersMax} characters`)
      .optional()
      .describe("What it is for"),
  },
  "mcp must be an object",
);

/** A JSON Schema for the body that the flow's trigger takes. */
const flowInput = jsonObject("input").superRefine((schema, context) => {
  const problem = inputSchemaProblem(schema);
  if (problem !== null) context.addIssue({ code: "custom", message: `input ${problem}` });
});

/** Limits for a flow's runs, and its canvas, which no run reads. */
export const flowSettings = z.object(
  {
    timeoutMs: positiveInteger("timeoutMs", 7 * 24 * 3_600_000)
      .optional()
      .describe("Milliseconds of work that a run may take"),
    concurrency: z
      .object({
        limit: positiveInteger("limit", 10_000).optional().describe("Runs at once"),
        key: z
          .string("key must be text")
          .max(flowLimits.concurrencyKeyCharactersMax, "key must have at most 4096 characters")
          .optional()
          .describe("An expression: runs with the same value share a limit"),
        policy: z
          .enum(["queue", "skip", "cancel-previous"], "unknown policy")
          .optional()
          .describe("What to do with a run beyond the limit"),
      })
      .optional()
      .describe("How many runs may be in progress at once"),
    retentionDays: positiveInteger("retentionDays", 36_500).optional().describe("Days that its runs are kept"),
    tests: z
      .object(
        {
          requiredToActivate: z
            .boolean("requiredToActivate must be true or false")
            .optional()
            .describe("Whether failing tests prevent activation"),
        },
        "tests must be an object",
      )
      .optional()
      .describe("How its tests are used"),
    mcp: flowOffer.optional().describe("How the flow is offered to assistants (docs/assistants.md)"),
    input: flowInput
      .optional()
      .describe("A JSON Schema of the flow's body; assistants' calls are validated against it"),
    canvas: jsonObject("canvas").optional().describe("Notes, groups and the viewport: no run reads them"),
  },
  "settings must be an object",
);

export type SignaturePreset = (typeof signaturePresets)[number];
export type FlowStatus = z.output<typeof flowStatus>;
export type FlowTrigger = z.output<typeof flowTrigger>;
export type FlowNode = z.output<typeof flowNode>;
export type FlowEdge = z.output<typeof flowEdge>;
export type FlowSettings = z.output<typeof flowSettings>;

/** What a run executes; frozen as a version. */
export interface FlowDefinition {
  readonly trigger: FlowTrigger;
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly variables: JsonObject;
}
