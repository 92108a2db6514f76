import { z } from "zod";
import { flowName, isStorableText } from "#lib/engine/flow.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { oneOf, paging } from "./query.ts";
import { timestamp } from "./timestamp.ts";

/** What a rule can watch for. */
export const alertKinds = ["failures_in_row", "failure_rate", "duration", "inactivity", "drift", "credential"] as const;

const weekMinutes = 7 * 24 * 60;
const emailsMax = 20;

const whole = (what: string, min: number, max: number) =>
  z
    .int(`${what} must be a whole number`)
    .min(min, `${what} must be at least ${min}`)
    .max(max, `${what} must be at most ${max}`);

const fields = {
  name: flowName.describe("Its name"),
  kind: oneOf("kind", alertKinds).describe("What the rule looks for"),
  flowId: z
    .string("flowId must be text")
    .refine(isStorableText, "flowId must not contain U+0000")
    .nullish()
    .describe("The flow that it watches; null for all"),
  threshold: whole("threshold", 1, 86_400_000).describe(
    "Failures in a row, percent that failed, or milliseconds, as the kind has it",
  ),
  windowMinutes: whole("windowMinutes", 1, weekMinutes).describe("Minutes that are looked at"),
  quietMinutes: whole("quietMinutes", 0, weekMinutes).describe("Minutes without another alert after one"),
  emails: z
    .array(z.email("an address must be one of e-mail").max(254), "emails must be an array of addresses")
    .max(emailsMax, `emails must have at most ${emailsMax} addresses`)
    .describe("Who is told by mail"),
  active: z.boolean("active must be true or false").describe("Whether it is in force"),
};

const newRule = z.object({
  ...fields,
  windowMinutes: fields.windowMinutes.optional().default(60).describe("Minutes that are looked at"),
  quietMinutes: fields.quietMinutes.optional().default(60).describe("Minutes without another alert after one"),
  threshold: fields.threshold
    .optional()
    .default(3)
    .describe("Failures in a row, percent that failed, or milliseconds, as the kind has it"),
  emails: fields.emails.optional().default([]).describe("Who is told by mail"),
  active: fields.active.optional().default(true).describe("Whether it is in force"),
});

const { kind: _, ...changeable } = fields;
const ruleChanges = z.object(changeable).partial();

export const alertRule = z
  .object({
    id: z.string().describe("Its id"),
    name: z.string().describe("Its name"),
    kind: z.enum(alertKinds).describe("What it looks for"),
    /** Null: every flow. */
    flowId: z.string().nullable().describe("The flow that it watches; null for all"),
    /** Null for every flow, and for a deleted one. */
    flowName: z.string().nullable().describe("The flow's name"),
    /** Runs in a row, percent, or milliseconds, depending on the kind. */
    threshold: z.int().describe("Failures in a row, percent that failed, or milliseconds, as the kind has it"),
    windowMinutes: z.int().describe("Minutes that are looked at"),
    quietMinutes: z.int().describe("Minutes without another alert after one"),
    emails: z.array(z.string()).describe("Who is told by mail"),
    active: z.boolean().describe("Whether it is in force"),
    lastAlertAt: timestamp.nullable().describe("When it gave an alert last"),
    createdAt: timestamp.describe("When it was made"),
    updatedAt: timestamp.describe("When it was changed last"),
  })
  .meta({ id: "AlertRule" });

export const alert = z
  .object({
    id: z.string().describe("Its id"),
    ruleId: z.string().describe("The rule that gave it"),
    ruleName: z.string().describe("The rule's name then"),
    kind: z.enum(alertKinds).describe("What kind it is"),
    flowId: z.string().nullable().describe("The flow's id"),
    flowName: z.string().nullable().describe("The flow's name"),
    /** The run that caused the alert, if it was one. */
    executionId: z.string().nullable().describe("The run that gave the reason, where it was one"),
    message: z.string().describe("What happened"),
    at: timestamp.describe("When"),
  })
  .meta({ id: "Alert" });

const tag = "Alerts";
const [read, write] = ["webhooks:read", "webhooks:write"] as const;

export const listAlertRules = endpoint({
  method: "GET",
  path: "/alert-rules",
  tag,
  summary: "List alert rules",
  description: "The newest first.",
  scope: read,
  query: z.object(paging),
  shape: "list",
  status: 200,
  answer: alertRule,
});

export const createAlertRule = endpoint({
  method: "POST",
  path: "/alert-rules",
  tag,
  summary: "Create an alert rule",
  description: [
    "Watches the runs of a flow, or of all. `failures_in_row`: the last `threshold` runs of a flow failed. `failure_rate`: of the runs that started in the last `windowMinutes`, at least 5, `threshold` percent or more failed. `duration`: a run took longer than `threshold` milliseconds. `inactivity`: no run started for `windowMinutes`. `drift`: an output of a run departs from what 100 or more before had. `credential`: a provider refused an `oauth2` credential, which needs to be connected again; such a rule is of no one flow.",
    "An alert is listed at `/alerts`, sent as the event `alert.fired` to who subscribed to it, and by mail to `emails` where the service has a mail server. After one, the rule is quiet for `quietMinutes`.",
  ].join("\n\n"),
  scope: write,
  body: newRule,
  bodyRequired: true,
  shape: "data",
  status: 201,
  answer: alertRule,
});

export const readAlertRule = endpoint({
  method: "GET",
  path: "/alert-rules/:id",
  tag,
  summary: "Read an alert rule",
  scope: read,
  params: idParams("rule"),
  shape: "data",
  status: 200,
  answer: alertRule,
});

export const updateAlertRule = endpoint({
  method: "PATCH",
  path: "/alert-rules/:id",
  tag,
  summary: "Change an alert rule",
  description: "Only the fields sent change; a rule stays of its kind. What happened before is not told again.",
  scope: write,
  params: idParams("rule"),
  body: ruleChanges,
  shape: "data",
  status: 200,
  answer: alertRule,
});

export const deleteAlertRule = endpoint({
  method: "DELETE",
  path: "/alert-rules/:id",
  tag,
  summary: "Delete an alert rule",
  description: "Its alerts go with it.",
  scope: write,
  params: idParams("rule"),
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export const listAlerts = endpoint({
  method: "GET",
  path: "/alerts",
  tag,
  summary: "List alerts",
  description: "What the rules found, the latest first.",
  scope: read,
  query: z.object(paging),
  shape: "list",
  status: 200,
  answer: alert,
});

export type AlertKind = (typeof alertKinds)[number];
export type ShownAlertRule = z.output<typeof alertRule>;
export type ShownAlert = z.output<typeof alert>;
export type NewAlertRule = z.output<typeof newRule>;
export type AlertRuleChanges = z.output<typeof ruleChanges>;
