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
  name: flowName,
  kind: oneOf("kind", alertKinds),
  flowId: z.string("flowId must be text").refine(isStorableText, "flowId must not contain U+0000").nullish(),
  threshold: whole("threshold", 1, 86_400_000),
  windowMinutes: whole("windowMinutes", 1, weekMinutes),
  quietMinutes: whole("quietMinutes", 0, weekMinutes),
  emails: z
    .array(z.email("an address must be one of e-mail").max(254), "emails must be an array of addresses")
    .max(emailsMax, `emails must have at most ${emailsMax} addresses`),
  active: z.boolean("active must be true or false"),
};

const newRule = z.object({
  ...fields,
  windowMinutes: fields.windowMinutes.optional().default(60),
  quietMinutes: fields.quietMinutes.optional().default(60),
  threshold: fields.threshold.optional().default(3),
  emails: fields.emails.optional().default([]),
  active: fields.active.optional().default(true),
});

const { kind: _, ...changeable } = fields;
const ruleChanges = z.object(changeable).partial();

export const alertRule = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(alertKinds),
    /** Null: every flow. */
    flowId: z.string().nullable(),
    /** Null for every flow, and for a deleted one. */
    flowName: z.string().nullable(),
    /** Runs in a row, percent, or milliseconds, depending on the kind. */
    threshold: z.int(),
    windowMinutes: z.int(),
    quietMinutes: z.int(),
    emails: z.array(z.string()),
    active: z.boolean(),
    lastAlertAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "AlertRule" });

export const alert = z
  .object({
    id: z.string(),
    ruleId: z.string(),
    ruleName: z.string(),
    kind: z.enum(alertKinds),
    flowId: z.string().nullable(),
    flowName: z.string().nullable(),
    /** The run that caused the alert, if it was one. */
    executionId: z.string().nullable(),
    message: z.string(),
    at: timestamp,
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
  summary: "Make an alert rule",
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
  params: idParams,
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
  params: idParams,
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
  params: idParams,
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
