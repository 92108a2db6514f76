import type { JsonObject } from "#lib/engine/json.ts";
import type { N8nNode } from "./document.ts";
import { formFields } from "./nodes/pauses.ts";
import type { Parameters } from "./parameters.ts";
import { NotConverted, own, type Source } from "./source.ts";

/** A flow's trigger, and where n8n's trigger data is in it. */
export interface MadeTrigger {
  readonly type: string;
  readonly config: JsonObject;
  readonly json: string;
  readonly moved?: Source["moved"];
  /** Set if the flow's URL answers with the last node's items. */
  readonly answers?: "first" | "all";
}

interface About {
  readonly node: N8nNode;
  readonly parameters: Parameters;
  readonly timezone: string | null;
  gap(reason: string): void;
  credential(type: string): string | undefined;
}

const methods = new Set(["POST", "GET", "PUT", "PATCH", "DELETE"]);
const signIns: Readonly<Record<string, string>> = { basicAuth: "basic", headerAuth: "header", jwtAuth: "bearer" };

function webhook({ parameters, gap, credential }: About): MadeTrigger {
  const given = parameters.at("httpMethod");
  const httpMethod = String((Array.isArray(given) ? given[0] : given) ?? "GET").toUpperCase();
  const method = methods.has(httpMethod) ? httpMethod : "GET";
  const kind = parameters.text("authentication", "none");
  const authentication = own(signIns, kind);
  const name = authentication === undefined ? undefined : credential(authentication);
  if (kind !== "none" && (authentication === undefined || name === undefined)) {
    gap(`Callers signed in by “${kind}”: choose how they sign in here. Until then, anybody can call the flow.`);
  }
  const mode = parameters.text("responseMode", "onReceived");
  const path = parameters.text("path");
  if (path.includes(":"))
    gap("Parts of the address, such as :id, are not supported: have callers send them in the query.");
  gap(`The flow has a URL of its own: give it to the callers of “/webhook/${path.slice(0, 100)}” of n8n.`);
  return {
    type: "webhook",
    config: {
      method,
      ...(authentication === undefined || name === undefined ? {} : { authentication, credential: name }),
      ...(mode === "onReceived" ? { respond: "immediately" } : {}),
    },
    json: "$trigger",
    ...(mode === "lastNode"
      ? { answers: parameters.text("responseData", "firstEntryJson") === "allEntries" ? "all" : "first" }
      : {}),
  };
}

function form({ parameters, gap }: About): MadeTrigger {
  const fields = formFields(parameters, gap);
  const moved = new Map<string, string>(
    fields.flatMap(({ name, label }) => [[label, `$trigger.body[${JSON.stringify(name)}]`]]),
  );
  moved.set("submittedAt", "$execution.startedAt");
  moved.set("formMode", '"production"');
  return {
    type: "form",
    config: {
      title: parameters.text("formTitle").slice(0, 200) || "Form",
      ...(parameters.has("formDescription") ? { description: parameters.text("formDescription").slice(0, 2_000) } : {}),
      ...(parameters.has("options.buttonLabel")
        ? { submitLabel: parameters.text("options.buttonLabel").slice(0, 50) }
        : {}),
      fields: fields as unknown as JsonObject[],
      ...(parameters.text("responseMode", "onReceived") === "onReceived" ? { respond: "immediately" } : {}),
    },
    json: "$trigger.body",
    moved,
  };
}

function schedule({ node, parameters, timezone, gap }: About): MadeTrigger {
  const isOld = node.type === "cron" || node.type === "interval";
  const rules = parameters.entries(isOld ? "triggerTimes.item" : "rule.interval");
  const [first, ...more] = rules;
  if (more.length > 0)
    gap(
      `The schedule has ${rules.length} rules, but a flow can only have one: the first is kept. Duplicate the flow for the others.`,
    );
  const cron =
    node.type === "interval"
      ? everyCron(parameters.text("unit", "seconds"), parameters.number("interval", 1, 59, 1))
      : isOld
        ? oldCron(first)
        : cronOf(first, gap);
  return {
    type: "schedule",
    config: { cron, timezone: timezone ?? "UTC" },
    json: "$trigger.body",
    moved: new Map([["timestamp", "$trigger.body.scheduledAt"]]),
  };
}

function everyCron(unit: string, count: number): string {
  const every = count === 1 ? "*" : `*/${Math.round(count)}`;
  if (unit === "seconds") return `${every} * * * * *`;
  if (unit === "minutes") return `${every} * * * *`;
  return unit === "hours" ? `0 ${every} * * *` : `0 0 ${every} * *`;
}

function oldCron(rule: Parameters | undefined): string {
  if (rule === undefined) return "0 0 * * *";
  const [hour, minute] = [Math.round(rule.number("hour", 0, 23, 14)), Math.round(rule.number("minute", 0, 59, 0))];
  const mode = rule.text("mode", "everyDay");
  if (mode === "custom") return rule.text("cronExpression").trim() || "0 0 * * *";
  if (mode === "everyX") return everyCron(rule.text("unit", "hours"), rule.number("value", 1, 59, 2));
  if (mode === "everyMinute") return "* * * * *";
  if (mode === "everyHour") return `${minute} * * * *`;
  if (mode === "everyWeek") return `${minute} ${hour} * * ${Math.round(rule.number("weekday", 0, 7, 1))}`;
  if (mode === "everyMonth") return `${minute} ${hour} ${Math.round(rule.number("dayOfMonth", 1, 31, 1))} * *`;
  return `${minute} ${hour} * * *`;
}

function cronOf(rule: Parameters | undefined, gap: (reason: string) => void): string {
  if (rule === undefined) return "0 0 * * *";
  const integer = (path: string, min: number, max: number, otherwise: number) =>
    Math.round(rule.number(path, min, max, otherwise));
  const at = `${integer("triggerAtMinute", 0, 59, 0)} ${integer("triggerAtHour", 0, 23, 0)}`;
  const field = rule.text("field", "days");
  const oneOf = (path: string, label: string) => {
    const count = integer(path, 1, 1_000, 1);
    if (count > 1)
      gap(`The schedule runs every ${label}, not every ${count} ${label}s: a schedule here cannot express that.`);
  };
  if (field === "cronExpression") return rule.text("expression").trim() || "0 0 * * *";
  if (field === "seconds") return everyCron(field, integer("secondsInterval", 1, 59, 30));
  if (field === "minutes") return everyCron(field, integer("minutesInterval", 1, 59, 5));
  if (field === "hours") {
    const count = integer("hoursInterval", 1, 23, 1);
    return `${integer("triggerAtMinute", 0, 59, 0)} ${count === 1 ? "*" : `*/${count}`} * * *`;
  }
  if (field === "weeks") {
    oneOf("weeksInterval", "week");
    const given = rule.at("triggerAtDay");
    const days = (Array.isArray(given) ? given : [0]).filter(
      (day) => Number.isInteger(day) && Number(day) >= 0 && Number(day) <= 7,
    );
    return `${at} * * ${[...new Set(days)].join(",") || "0"}`;
  }
  if (field === "months") {
    const count = integer("monthsInterval", 1, 12, 1);
    return `${at} ${integer("triggerAtDayOfMonth", 1, 31, 1)} ${count === 1 ? "*" : `*/${count}`} *`;
  }
  const days = integer("daysInterval", 1, 31, 1);
  return `${at} ${days === 1 ? "*" : `*/${days}`} * *`;
}

const manual = (): MadeTrigger => ({ type: "manual", config: {}, json: "$trigger.body" });

const failed = (): MadeTrigger => ({
  type: "error",
  config: {},
  json: "$trigger.body",
  moved: new Map([
    ["execution.id", "$trigger.body.executionId"],
    ["execution.url", "$trigger.body.url"],
    ["execution.error.message", "$trigger.body.error"],
    ["execution.lastNodeExecuted", "$trigger.body.nodeId"],
    ["workflow.id", "$trigger.body.flowId"],
    ["workflow.name", "$trigger.body.flowName"],
  ]),
});

const mail = ({ parameters, gap, credential }: About): MadeTrigger => {
  const name = credential("imap");
  if (parameters.text("format", "simple") === "raw") gap("The raw mail is not available, only its parts.");
  if (parameters.has("options.customEmailConfig"))
    gap("Each mail that comes starts a run: add n8n's search as a condition to the flow.");
  return {
    type: "mail",
    config: {
      ...(name === undefined ? {} : { credential: name }),
      mailbox: parameters.text("mailbox", "INBOX").slice(0, 500),
      markSeen: parameters.text("postProcessAction", "read") === "read",
    },
    json: "$trigger.body",
    moved: new Map([
      ["textPlain", "$trigger.body.text"],
      ["textHtml", "$trigger.body.html"],
      ["from", "$trigger.body.from?.address"],
      ["to", "$trigger.body.to[0]?.address"],
    ]),
  };
};

/** Triggers of services that call the flow's URL once it is registered with them. */
const called =
  (summary: string, more: JsonObject = {}) =>
  ({ gap }: About): MadeTrigger => {
    gap(`${summary}: give it the flow's URL.`);
    return { type: "webhook", config: { method: "POST", respond: "immediately", ...more }, json: "$trigger.body" };
  };

const chat = ({ gap }: About): MadeTrigger => {
  gap("There is no chat window: send messages to the flow's URL as {chatInput, sessionId}.");
  return { type: "webhook", config: { method: "POST" }, json: "$trigger.body", answers: "first" };
};

/** Triggers by type, most specific first: a flow has only one, and this order decides which. */
const makers: Readonly<Record<string, (about: About) => MadeTrigger>> = {
  webhook,
  formTrigger: form,
  chatTrigger: chat,
  telegramTrigger: called("Telegram sends updates by setWebhook"),
  githubTrigger: called("GitHub sends events to webhooks of the repository"),
  stripeTrigger: called("Stripe sends events to endpoints of its dashboard"),
  typeformTrigger: called("Typeform sends answers to webhooks of the form"),
  emailReadImap: mail,
  scheduleTrigger: schedule,
  cron: schedule,
  interval: schedule,
  errorTrigger: failed,
  executeWorkflowTrigger: manual,
  manualTrigger: manual,
  start: manual,
};
const order = Object.keys(makers);

/** Whether a workflow starts at this node. */
export function isTrigger({ type }: N8nNode): boolean {
  return Object.hasOwn(makers, type) || type.endsWith("Trigger");
}

/** The triggers of a workflow; the flow gets the first. */
export function inRank(triggers: readonly N8nNode[]): readonly N8nNode[] {
  const rank = ({ type, disabled }: N8nNode) => {
    const place = order.indexOf(type);
    // An unknown trigger leaves the flow without a start, but ranks above those that only people start.
    return (place === -1 ? order.indexOf("executeWorkflowTrigger") - 0.5 : place) + (disabled ? 100 : 0);
  };
  return triggers.toSorted((a, b) => rank(a) - rank(b));
}

/** The flow's trigger. */
export function convertTrigger(about: About): MadeTrigger {
  const make = own(makers, about.node.type);
  if (make === undefined) {
    about.gap("There is no such trigger. The flow is started by hand until it has another one.");
    return manual();
  }
  try {
    return make(about);
  } catch (error) {
    if (!(error instanceof NotConverted)) throw error;
    about.gap(`The trigger could not be converted: ${error.message}. The flow is started by hand.`);
    return manual();
  }
}
