import { z } from "zod";
import { flowName, isStorableText } from "#lib/engine/flow.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { oneOf, paging } from "./query.ts";
import { timestamp } from "./timestamp.ts";

/** What a rule can watch for. */
export const alertKinds = ["failures_in_row", "failure_rate", "duration", "inactivity", "drift", "credential"] as const;

const weekMinutes = 7 * 24 * 60;
const emailsMax = 20;

const integer = (label: string, min: number, max: number) =>
  z
    .int(`${label} must be a whole number`)
    .min(min, `${label} must be at least ${min}`)
    .max(max, `${label} must be at most ${max}`);

const fields = {
  name: flowName.describe("Its name"),
  kind: oneOf("kind", alertKinds).describe("What the rule detects"),
  flowId: z
    .string("flowId must be text")
    .refine(isStorableText, "flowId must not contain U+0000")
    .nullish()
    .describe("The flow to watch; null for all"),
  threshold: integer("threshold", 1, 86_400_000).describe(
    "Consecutive failures, percent failed, or milliseconds, depending on the kind",
  ),
  windowMinutes: integer("windowMinutes", 1, weekMinutes).describe("The time window, in minutes"),
  quietMinutes: integer("quietMinutes", 0, weekMinutes).describe("Minutes to wait after an alert before the next one"),
  emails: z
    .array(
      z.email("every address must be an email address, such as ops@example.com").max(254),
      "emails must be an array of addresses",
    )
    .max(emailsMax, `emails must have at most ${emailsMax} addresses`)
    .describe("Addresses to email"),
  active: z.boolean("active must be true or false").describe("Whether it is active"),
};

/** The field with a default, and the same description. */
const orElse = <Field extends z.ZodType>(field: Field, value: z.output<Field>) =>
  field
    .optional()
    .default(value as never)
    .describe(field.description ?? "");

const newRule = z.object({
  ...fields,
  windowMinutes: orElse(fields.windowMinutes, 60),
  quietMinutes: orElse(fields.quietMinutes, 60),
  threshold: orElse(fields.threshold, 3),
  emails: orElse(fields.emails, []),
  active: orElse(fields.active, true),
});

const { kind: _, ...changeable } = fields;
const ruleChanges = z.object(changeable).partial();

export const alertRule = z
  .object({
    id: z.string().describe("Its id"),
    name: z.string().describe("Its name"),
    kind: z.enum(alertKinds).describe("What the rule detects"),
    flowId: z.string().nullable().describe("The flow to watch; null for all"),
    /** Null for every flow, and for a deleted one. */
    flowName: z.string().nullable().describe("The flow's name"),
    threshold: z.int().describe("Consecutive failures, percent failed, or milliseconds, depending on the kind"),
    windowMinutes: z.int().describe("The time window, in minutes"),
    quietMinutes: z.int().describe("Minutes to wait after an alert before the next one"),
    emails: z.array(z.string()).describe("Addresses to email"),
    active: z.boolean().describe("Whether it is active"),
    lastAlertAt: timestamp.nullable().describe("When it last fired"),
    createdAt: timestamp.describe("When it was created"),
    updatedAt: timestamp.describe("When it was last changed"),
  })
  .meta({ id: "AlertRule" });

export const alert = z
  .object({
    id: z.string().describe("Its id"),
    ruleId: z.string().describe("The rule that fired"),
    ruleName: z.string().describe("The rule's name at that time"),
    kind: z.enum(alertKinds).describe("Its kind"),
    flowId: z.string().nullable().describe("The flow's id"),
    flowName: z.string().nullable().describe("The flow's name"),
    executionId: z.string().nullable().describe("The run that caused it, if it was a single one"),
    message: z.string().describe("What happened"),
    at: timestamp.describe("When"),
  })
  .meta({ id: "Alert" });

/** An alert as subscribers receive it. */
export const firedAlert = alert
  .omit({ id: true, at: true })
  .extend({ alertId: z.string().describe("The alert's id") })
  .meta({ id: "FiredAlert" });

const tag = "Alerts";
const [read, write] = ["webhooks:read", "webhooks:write"] as const;

export const listAlertRules = endpoint({
  method: "GET",
  path: "/alert-rules",
  tag,
  summary: "List alert rules",
  description: "Newest first.",
  scope: read,
  query: z.object(paging),
  shape: "list",
  answer: alertRule,
});

export const createAlertRule = endpoint({
  method: "POST",
  path: "/alert-rules",
  tag,
  summary: "Create an alert rule",
  description: [
    "Watches the runs of a flow, or of all. `failures_in_row`: the last `threshold` runs of a flow failed. `failure_rate`: of the runs that started in the last `windowMinutes`, at least 5, `threshold` percent or more failed. `duration`: a run took longer than `threshold` milliseconds. `inactivity`: no run started for `windowMinutes`. `drift`: an output of a run has a different shape than in 100 or more runs before. `credential`: a provider refused an `oauth2` credential, which must be reconnected; such a rule is not tied to a flow.",
    "An alert is listed at `/alerts`, sent to subscribers as the event `alert.fired`, and emailed to `emails` if the service has a mail server. After an alert, the rule is quiet for `quietMinutes`.",
  ].join("\n\n"),
  scope: write,
  body: newRule,
  bodyRequired: true,
  status: 201,
  answer: alertRule,
});

export const readAlertRule = endpoint({
  method: "GET",
  path: "/alert-rules/:id",
  tag,
  summary: "Read an alert rule",
  description: "With its condition and its state.",
  scope: read,
  params: idParams("rule"),
  answer: alertRule,
});

export const updateAlertRule = endpoint({
  method: "PATCH",
  path: "/alert-rules/:id",
  tag,
  summary: "Change an alert rule",
  description:
    "Only the fields sent change; the kind cannot change. Events from before the change do not fire it again.",
  scope: write,
  params: idParams("rule"),
  body: ruleChanges,
  answer: alertRule,
});

export const deleteAlertRule = endpoint({
  method: "DELETE",
  path: "/alert-rules/:id",
  tag,
  summary: "Delete an alert rule",
  description: "Its alerts are deleted with it.",
  scope: write,
  params: idParams("rule"),
  shape: "empty",
});

export const listAlerts = endpoint({
  method: "GET",
  path: "/alerts",
  tag,
  summary: "List alerts",
  description: "Alerts that fired, latest first.",
  scope: read,
  query: z.object(paging),
  shape: "list",
  answer: alert,
});

export type AlertKind = (typeof alertKinds)[number];
export type ShownAlertRule = z.output<typeof alertRule>;
export type ShownAlert = z.output<typeof alert>;
export type FiredAlert = z.output<typeof firedAlert>;
export type NewAlertRule = z.output<typeof newRule>;
export type AlertRuleChanges = z.output<typeof ruleChanges>;
