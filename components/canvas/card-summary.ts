import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowNode, FlowStatus, FlowTrigger } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";

type Summarize = (config: JsonObject) => string;

/** One line for a node: what it does, in the words of its config. Types without an entry show what they require. */
const summaries: Record<string, Summarize> = {
  "http-request": ({ method, url }) => `${text(method) || "GET"} ${withoutScheme(text(url))}`,
  "if-else": ({ condition }) => after("when", condition),
  switch: ({ value }) => after("on", value),
  transform: ({ transform }) => bare(text(transform)),
  delay: ({ ms, until }) => (ms === undefined ? after("until", until) : `for ${duration(ms)}`),
  log: ({ message, level }) => text(message) || `${text(level) || "info"}: the input`,
  loop: ({ items, concurrency }) =>
    [`for each of ${bare(text(items)) || "the input"}`, concurrency === undefined ? "" : `${text(concurrency)} at once`]
      .filter(Boolean)
      .join(" · "),
  "sub-flow": ({ flowId, wait }) => after(wait === false ? "start" : "run", flowId),
  wait: ({ form, timeoutMs }) => {
    const what = isJsonObject(form) ? text(form.title) || "answers to a form" : "a call to its address";
    return timeoutMs === undefined ? `for ${what}` : `for ${what}, up to ${duration(timeoutMs)}`;
  },
  merge: ({ mode }) => ({ array: "into an array", first: "the first available" })[text(mode)] ?? "into an object",
  stop: ({ status, message }) => [text(status) || "completed", text(message)].filter(Boolean).join(" · "),
  respond: ({ status, body }) => [text(status) || "200", text(body)].filter(Boolean).join(" · "),
};

export function summarizeNode(node: FlowNode, type: NodeType | undefined): string {
  const summary = summaries[node.type]?.(node.config) ?? firstRequired(node.config, type?.configSchema);
  if (summary.trim() !== "") return firstLine(summary);
  return requiredOf(type?.configSchema).length > 0 ? "Not set up yet" : (type?.name ?? node.type);
}

export function summarizeTrigger({ type, config }: Pick<FlowTrigger, "type"> & { config: unknown }): string {
  const given = isJsonObject(config) ? config : {};
  if (type === "webhook") return `${text(given.method) || "POST"} to the trigger URL`;
  if (type === "schedule")
    return [text(given.cron), text(given.timezone)].filter(Boolean).join(" · ") || "Not set up yet";
  return "By hand or through the API";
}

const callsGet: Record<FlowStatus, (version: number) => { readonly brief: string; readonly whole: string }> = {
  draft: () => ({ brief: "runs this draft", whole: "The flow is a draft: calls run it as it was last saved." }),
  active: (version) => ({ brief: `runs version ${version}`, whole: `The flow is live: calls run version ${version}.` }),
  inactive: () => ({ brief: "is refused", whole: "The flow is inactive: calls are refused." }),
};

/** What a call of the trigger URL comes to now: in brief, to follow the method, and as a sentence. */
export function whatCallsGet(status: FlowStatus, version: number): { readonly brief: string; readonly whole: string } {
  return callsGet[status](version);
}

/** A word and what it is about; nothing as long as that is not there. */
function after(word: string, value: unknown): string {
  const about = bare(text(value));
  return about === "" ? "" : `${word} ${about}`;
}

/** Milliseconds in the largest unit that says them whole; an expression as it stands. */
function duration(ms: unknown): string {
  if (typeof ms !== "number") return bare(text(ms));
  const units = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
    [1_000, "s"],
  ] as const;
  const [size, unit] = units.find(([whole]) => ms >= whole && ms % whole === 0) ?? [1, "ms"];
  return `${ms / size} ${unit}`;
}

function firstRequired(config: JsonObject, schema: unknown): string {
  const field = requiredOf(schema).find((name) => config[name] !== undefined);
  return field === undefined ? "" : text(config[field]);
}

function requiredOf(schema: unknown): string[] {
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return required.filter((name): name is string => typeof name === "string");
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An expression without its braces, where it is the whole of the text. */
function bare(expression: string): string {
  const inner = /^\s*\{\{([^{}]*)\}\}\s*$/.exec(expression)?.[1];
  return (inner ?? expression).trim();
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "");
}

function firstLine(summary: string): string {
  return summary.slice(0, 200).split("\n", 1)[0] ?? "";
}
