import { describeSchedule, readSchedule } from "#components/form/schedule/schedule-parts.ts";
import { inWholeUnit } from "#components/time/duration.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowNode, FlowStatus, FlowTrigger } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";

/** A node's one-line summary: its config put into its type's summary template. */
export function summarizeNode(node: FlowNode, type: NodeType | undefined): string {
  const lines = type?.summary ?? [];
  const summary =
    lines.length === 0 ? firstRequired(node.config, type?.configSchema) : firstFitting(lines, node.config);
  if (summary.trim() !== "") return firstLine(summary);
  return requiredOf(type?.configSchema).length > 0 ? "Not set up yet" : (type?.name ?? node.type);
}

/** The first summary template that applies to this config; see `summary` in the node's definition for the rules. */
function firstFitting(lines: readonly string[], config: JsonObject): string {
  for (const line of lines) {
    // Every second part was in brackets.
    const parts = line.split(/\[([^\]]*)\]/).map((part, index) => fill(part, config) ?? (index % 2 === 1 ? "" : null));
    if (!parts.includes(null)) return parts.join("");
  }
  return "";
}

const placeholder = /\{([\w.]+)(\?|=\w+)?(?::(\w+))?(?:\|([^}]*))?\}/g;
const formats: Readonly<Record<string, (value: unknown) => string>> = {
  text,
  duration,
  address,
  nodes: (value) => (Array.isArray(value) && value.length > 0 ? counted(value.length, "node") : ""),
};

/** The part with its fields filled in; null if it does not apply to this config or a field is empty. */
function fill(part: string, config: JsonObject): string | null {
  let fits = true;
  const filled = part.replace(placeholder, (_, path: string, kind?: string, format = "", otherwise = "") => {
    const value = path.split(".").reduce<unknown>((at, step) => (isJsonObject(at) ? at[step] : undefined), config);
    if (kind !== undefined) {
      fits &&= kind === "?" ? value !== undefined && value !== null : `=${text(value)}` === kind;
      return "";
    }
    const words = (formats[format] ?? expression)(value) || otherwise;
    fits &&= words !== "";
    return words;
  });
  return fits ? filled : null;
}

/** The URL that a trigger polls. */
const addressIn = (url: unknown) => address(url) || "Not set up yet";

export function summarizeTrigger({ type, config }: Pick<FlowTrigger, "type"> & { config: unknown }): string {
  const given = isJsonObject(config) ? config : {};
  if (type === "webhook") return `${text(given.method) || "POST"} to the trigger URL`;
  if (type === "schedule") {
    const cron = text(given.cron);
    const schedule = readSchedule(cron);
    const words = schedule === null ? cron : describeSchedule(schedule);
    return [words, text(given.timezone)].filter(Boolean).join(" · ") || "Not set up yet";
  }
  return others[type]?.(given) ?? "Manually or through the API";
}

/** Triggers that show a form or listen for events. */
const others: Readonly<Record<string, (config: JsonObject) => string>> = {
  form: ({ title, fields }) =>
    text(title) || (Array.isArray(fields) && fields.length > 0 ? counted(fields.length, "field") : "Not set up yet"),
  table: ({ table }) => (text(table) === "" ? "Not set up yet" : `Rows of ${text(table)}`),
  error: ({ flowIds }) => (Array.isArray(flowIds) ? "Of chosen flows" : "Of all other flows"),
  poll: ({ request }) => addressIn(isJsonObject(request) ? request.url : undefined),
  rss: ({ url }) => addressIn(url),
  mail: ({ credential, mailbox }) =>
    text(credential) === "" ? "Not set up yet" : `${text(mailbox) || "INBOX"} of ${text(credential)}`,
};

const callsGet: Record<FlowStatus, (version: number) => { readonly brief: string; readonly whole: string }> = {
  draft: () => ({ brief: "runs this draft", whole: "The flow is a draft: calls run it as it was last saved." }),
  active: (version) => ({ brief: `runs version ${version}`, whole: `The flow is live: calls run version ${version}.` }),
  inactive: () => ({ brief: "is refused", whole: "The flow is off: calls are refused." }),
};

/**
 * What the trigger URL currently runs: a short form to follow the method, and a sentence. `isCopied`: there are
 * unpublished changes, so that what is shown is not what runs.
 */
export function describeAnswer(
  status: FlowStatus,
  version: number,
  isCopied: boolean,
): { readonly brief: string; readonly whole: string } {
  if (status !== "draft" || !isCopied) return callsGet[status](version);
  return { brief: `runs version ${version}`, whole: `The flow is a draft: calls run version ${version}.` };
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** Milliseconds in the largest unit that divides them; an expression unchanged. */
function duration(ms: unknown): string {
  return typeof ms === "number" ? inWholeUnit(ms) : expression(ms);
}

function firstRequired(config: JsonObject, schema: unknown): string {
  const field = requiredOf(schema).find((name) => config[name] !== undefined);
  return field === undefined ? "" : text(config[field]);
}

function requiredOf(schema: unknown): string[] {
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return required.filter((name): name is string => typeof name === "string");
}

function address(value: unknown): string {
  return text(value).replace(/^https?:\/\//, "");
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An expression without its braces if it is the whole text. */
function expression(value: unknown): string {
  const whole = text(value);
  return (/^\s*\{\{([^{}]*)\}\}\s*$/.exec(whole)?.[1] ?? whole).trim();
}

function firstLine(summary: string): string {
  return summary.slice(0, 200).split("\n", 1)[0] ?? "";
}
