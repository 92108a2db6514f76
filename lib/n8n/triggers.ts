import { toStorableText } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { type N8nNode, shortText } from "./document.ts";
import { formFields } from "./nodes/forms.ts";
import type { Parameters } from "./parameters.ts";
import { scheduleOf } from "./schedule.ts";
import { movedPath, NotConverted, own, type Source } from "./source.ts";

/** A flow's trigger, and where n8n's trigger data is in it. */
export interface MadeTrigger {
  readonly type: string;
  readonly config: JsonObject;
  readonly json: string;
  readonly moved?: Source["moved"];
  /** Set if the flow's URL answers with the last node's items, or without any once it has run. */
  readonly answers?: "first" | "all" | "none";
}

export interface About {
  readonly node: N8nNode;
  readonly parameters: Parameters;
  readonly timezone: string | null;
  gap(reason: string): void;
  credential(type: string): string | undefined;
}

const methods = new Set(["POST", "GET", "PUT", "PATCH", "DELETE"]);
const signIns: Readonly<Record<string, string>> = { basicAuth: "basic", headerAuth: "header", jwtAuth: "bearer" };

const answersBy: Readonly<Record<string, "all" | "none">> = { allEntries: "all", noData: "none" };

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
  parameters.reportOthers("options", ["ipWhitelist"]);
  const path = parameters.text("path");
  if (Array.isArray(given) && given.length > 1)
    gap(`It was called by ${given.slice(0, 10).join(", ")} in n8n: here it is called by ${method} only.`);
  if (parameters.has("options.ipWhitelist"))
    gap("Only some addresses could call it in n8n. Here every address can: choose how callers sign in.");
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
    ...(mode === "lastNode" ? { answers: own(answersBy, parameters.text("responseData")) ?? "first" } : {}),
  };
}

function form({ parameters, gap }: About): MadeTrigger {
  parameters.reportOthers("options", ["appendAttribution", "buttonLabel", "path"]);
  const { fields, moved } = formFields(parameters, "$trigger.body", gap);
  moved.set("submittedAt", "$execution.startedAt");
  moved.set("formMode", '"production"');
  return {
    type: "form",
    config: {
      title: shortText(parameters.text("formTitle"), 200) || "Form",
      ...(parameters.has("formDescription")
        ? { description: toStorableText(parameters.text("formDescription").slice(0, 2_000)) }
        : {}),
      ...(parameters.has("options.buttonLabel")
        ? { submitLabel: shortText(parameters.text("options.buttonLabel"), 50) || "Submit" }
        : {}),
      fields: fields as unknown as JsonObject[],
      ...(parameters.text("responseMode", "onReceived") === "onReceived" ? { respond: "immediately" } : {}),
    },
    json: "$trigger.body",
    moved,
  };
}

const schedule = (about: About): MadeTrigger => ({
  type: "schedule",
  config: { cron: scheduleOf(about), timezone: about.timezone ?? "UTC" },
  json: "$trigger.body",
  moved: new Map([["timestamp", "$trigger.body.scheduledAt"]]),
});

const manual = (): MadeTrigger => ({ type: "manual", config: {}, json: "$trigger.body" });

const failed = (): MadeTrigger => ({
  type: "error",
  config: {},
  json: "$trigger.body",
  moved: new Map([
    [movedPath("execution", "id"), "$trigger.body.executionId"],
    [movedPath("execution", "url"), "$trigger.body.url"],
    [movedPath("execution", "error", "message"), "$trigger.body.error"],
    [movedPath("execution", "lastNodeExecuted"), "$trigger.body.nodeId"],
    [movedPath("workflow", "id"), "$trigger.body.flowId"],
    [movedPath("workflow", "name"), "$trigger.body.flowName"],
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

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const pollMs: Readonly<Record<string, number>> = {
  ...{ everyMinute: minuteMs, everyHour: hourMs, everyDay: dayMs },
  ...{ everyWeek: 7 * dayMs, everyMonth: 30 * dayMs },
};

const feed = ({ parameters, gap }: About): MadeTrigger => {
  const [time, ...more] = parameters.entries("pollTimes.item");
  const mode = time?.text("mode", "everyDay") ?? "everyMinute";
  const unit = time?.text("unit", "hours") === "minutes" ? minuteMs : hourMs;
  const everyMs = mode === "everyX" ? (time?.number("value", 1, 700, 2) ?? 2) * unit : (own(pollMs, mode) ?? hourMs);
  if (more.length > 0 || !["everyMinute", "everyX"].includes(mode))
    gap(`The feed is read every ${everyMs / minuteMs} minutes, at no fixed time.`);
  return {
    type: "rss",
    config: { url: parameters.text("feedUrl"), everyMs },
    json: "$trigger.body",
    moved: new Map([
      ["guid", "$trigger.body.id"],
      ["creator", "$trigger.body.author"],
      ["pubDate", "$trigger.body.published"],
      ["isoDate", "$trigger.body.published"],
      ["contentSnippet", "$trigger.body.summary"],
    ]),
  };
};

/** Triggers of services that call the flow's URL once it is registered with them. */
const called =
  (summary: string, json = "$trigger.body") =>
  ({ gap }: About): MadeTrigger => {
    gap(`${summary}: give it the flow's URL.`);
    return { type: "webhook", config: { method: "POST", respond: "immediately" }, json };
  };

/** n8n gives the answers by their questions, unless the node says otherwise. */
const typeform = (about: About): MadeTrigger => {
  if (about.parameters.flag("simplifyAnswers", true))
    about.gap(
      "Answers are not named by their questions: they come as Typeform sends them, in `form_response.answers`.",
    );
  return called("Typeform sends answers to webhooks of the form")(about);
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
  manualChatTrigger: chat,
  telegramTrigger: called("Telegram sends updates by setWebhook"),
  githubTrigger: called("GitHub sends events to webhooks of the repository", "$trigger"),
  stripeTrigger: called("Stripe sends events to endpoints of its dashboard"),
  typeformTrigger: typeform,
  emailReadImap: mail,
  rssFeedReadTrigger: feed,
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
