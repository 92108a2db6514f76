// Triggers that poll for items: `poll` asks any HTTP API, `rss` reads a feed, `mail` a mailbox.
import { createHash } from "node:crypto";
import { z } from "zod";
import { credentialType } from "#lib/credentials/credentials.ts";
import { type FlowTrigger, isPollTrigger, isStorableText, pollModes } from "#lib/engine/flow.ts";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath, type JsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { type ConfigPlan, planConfig, type Reader } from "#lib/expressions/expressions.ts";
import { nextTime, nextTimes, scheduleProblems } from "#lib/flows/schedule.ts";
import { findConfigProblems, planNodeConfig } from "#lib/nodes/registry.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { readFor } from "#lib/reading/read-sources.ts";
import {
  everyMs,
  everyMsLimits,
  flag,
  type MailPoll,
  mailConfig,
  mailCredentialProblem,
  mailPollOf,
} from "./mail-trigger.ts";

const requestCharactersMax = 65_536;
const expressionCharactersMax = 8_192;
const requestType = "http-request";

const expression = z
  .string("must be an expression")
  .trim()
  .min(1, "must not be empty")
  .max(expressionCharactersMax, `must have at most ${expressionCharactersMax} characters`);

const pollConfig = z.object({
  cron: z.string("must be text").nullish(),
  timezone: z.string("must be text").nullish(),
  everyMs: everyMs.nullish(),
  request: z
    .record(z.string(), z.unknown(), "must be the config of an HTTP request")
    .refine((given) => jsonCharacters(given, requestCharactersMax) <= requestCharactersMax, {
      error: `must have at most ${requestCharactersMax} characters`,
    }),
  items: expression,
  key: expression.nullish(),
  mode: z.enum(pollModes, `must be one of ${pollModes.join(", ")}`).nullish(),
  batch: flag.nullish(),
  fromNow: flag.nullish(),
});

const rssConfig = z.object({
  url: z
    .url({ protocol: /^https?$/, error: "must be the address of a feed, starting with http:// or https://" })
    .max(2_048, "must have at most 2048 characters")
    .refine(isStorableText, "must not contain U+0000 or unpaired surrogates"),
  everyMs: everyMs.nullish(),
  fromNow: flag.nullish(),
});

/** The default interval of feeds. */
const feedEveryMs = 900_000;

/** When to poll. */
export type PollTimes = { readonly everyMs: number } | { readonly cron: string; readonly timezone: string };

/** What an active flow polls. */
export type Poll = { readonly times: PollTimes; readonly fromNow: boolean } & (
  | MailPoll
  | { readonly kind: "rss"; readonly url: string }
  | {
      readonly kind: "poll";
      readonly request: JsonObject;
      readonly items: string;
      readonly key: string | null;
      readonly mode: (typeof pollModes)[number];
      readonly batch: boolean;
    }
);

interface PollProblem {
  readonly field: string;
  readonly message: string;
}

/** What an active flow with this trigger polls; null for other triggers and invalid configs. */
export function pollOf(status: string, { type, config }: FlowTrigger): Poll | null {
  if (status !== "active") return null;
  if (type === "mail") return mailPollOf(config);
  if (type === "rss") {
    const { data } = rssConfig.safeParse(config);
    if (data === undefined) return null;
    return {
      kind: "rss",
      url: data.url,
      times: { everyMs: data.everyMs ?? feedEveryMs },
      fromNow: data.fromNow ?? true,
    };
  }
  const { data } = type === "poll" ? pollConfig.safeParse(config) : {};
  const times = data === undefined ? null : timesOf(data);
  if (data === undefined || times === null) return null;
  const { request, items, key, mode, batch, fromNow } = data;
  return {
    kind: "poll",
    times,
    request: request as JsonObject,
    items,
    key: key ?? null,
    mode: mode ?? "new",
    batch: batch ?? false,
    fromNow: fromNow ?? true,
  };
}

function timesOf({ cron, timezone, everyMs: every }: z.output<typeof pollConfig>): PollTimes | null {
  if (every != null) return { everyMs: every };
  return cron == null ? null : { cron, timezone: timezone ?? "UTC" };
}

/**
 * The time of the poll after one at `now`, no sooner than after `waitMs`; far in the future if the schedule has
 * ended.
 */
export function nextPollAt(times: PollTimes, now: Date, waitMs = 0): Date {
  const earliest = new Date(now.getTime() + waitMs);
  if ("everyMs" in times) return new Date(Math.max(earliest.getTime(), now.getTime() + times.everyMs));
  return nextTime(times, earliest) ?? new Date("9999-01-01T00:00:00Z");
}

const configs = { poll: pollConfig, rss: rssConfig, mail: mailConfig } as const;

/** Why a flow with this trigger could not poll, by its config alone. */
export function pollConfigProblems({ type, config }: FlowTrigger): PollProblem[] {
  if (!isPollTrigger(type)) return [];
  const parsed = configs[type].safeParse(config, { reportInput: true });
  const problems = (parsed.error?.issues ?? []).map((issue) => ({
    field: formatPath(issue.path),
    message: issueMessage(issue),
  }));
  if (type !== "poll" || problems.some(({ field }) => /^(cron|timezone|everyMs)/.test(field))) return problems;
  return [...problems, ...timesProblems(config)];
}

/** Why a flow with this trigger could not poll. */
export async function pollProblems(
  database: Parameters<typeof credentialType>[0],
  workspaceId: string,
  { type, config }: FlowTrigger,
): Promise<PollProblem[]> {
  const problems = pollConfigProblems({ type, config });
  if (type === "mail") {
    const message = await mailCredentialProblem((name) => credentialType(database, workspaceId, name), config);
    return message === null ? problems : [...problems, { field: "credential", message }];
  }
  if (type !== "poll") return problems;
  if (problems.some(({ field }) => /^(request|items|key)/.test(field))) return problems;
  const plan = await planPoll(workspaceId, config as { request: JsonObject; items: string; key?: string | null });
  const expressions = plan.items.problems.map(({ path, message, position }) => ({
    field: path,
    message: `${message} (at ${position})`,
  }));
  const request = findConfigProblems(requestType, config.request as JsonObject, plan.request);
  problems.push(
    ...expressions,
    ...request.map(({ path, message }) => ({ field: path === "" ? "request" : `request.${path}`, message })),
    ...foreignNames(plan.request, requestNames, "request"),
    ...foreignNames(plan.items, itemNames, ""),
  );
  const name = (config.request as JsonObject).credential;
  if (typeof name === "string" && !plan.request.slots.some(({ path }) => path === "credential")) {
    const known = isStorableText(name) ? await credentialType(database, workspaceId, name) : null;
    if (known === null)
      problems.push({ field: "request.credential", message: `there is no credential named "${name.slice(0, 100)}"` });
  }
  return problems;
}

function timesProblems({ cron, timezone, everyMs: every }: JsonObject): PollProblem[] {
  if (cron == null && every == null) return [{ field: "everyMs", message: "is required, or cron" }];
  if (cron == null) return [];
  if (every != null) return [{ field: "everyMs", message: "cannot be combined with cron" }];
  const problems = scheduleProblems({ cron, timezone });
  if (problems.length > 0) return problems;
  const times = nextTimes({ cron: String(cron), timezone: String(timezone ?? "UTC") }, timeNow(), 5).map(Number);
  const isTooOften = times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < everyMsLimits.min);
  return isTooOften ? [{ field: "cron", message: "must leave at least 30 seconds between polls" }] : [];
}

/** What a poll's request may read, and what its expressions may read of the answer. */
export const requestNames = ["$vars", "$flow"] as const;
export const itemNames = ["$response", "$item", "$index", "$vars", "$flow"] as const;

function foreignNames(plan: ConfigPlan, known: readonly string[], within: string): PollProblem[] {
  return plan.expressions.flatMap(({ slot, expression: { names } }) => {
    const unknown = names.find((name) => !known.includes(name));
    const field = [within, slot.path].filter(Boolean).join(".");
    return unknown === undefined
      ? []
      : [{ field, message: `${unknown} has no value here: it can read ${known.join(", ")}` }];
  });
}

/** A poll's parsed expressions: the request's templates, and `items` with `key`. */
export interface PollPlan {
  readonly request: ConfigPlan;
  readonly items: ConfigPlan;
}

export async function planPoll(
  workspaceId: string,
  { request, items, key }: { readonly request: JsonObject; readonly items: string; readonly key?: string | null },
): Promise<PollPlan> {
  const make = (_: unknown, read: Reader): PollPlan => ({
    request: planNodeConfig(requestType, request, read),
    items: planConfig(key == null ? { items } : { items, key }, () => "expression", read),
  });
  const [plan] = await readFor(workspaceId, [null], make);
  if (plan === undefined) throw new Error("nothing was read");
  return plan;
}

const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

/** Hashes of all of a poll's settings, and of those that identify its source. */
export function hashesOf(poll: Poll): { readonly config: string; readonly source: string } {
  if (poll.kind === "rss") return { config: hashOf(poll), source: hashOf(poll.url) };
  if (poll.kind === "mail") return { config: hashOf(poll), source: hashOf([poll.credential, poll.mailbox]) };
  const { url, method, query, body } = poll.request;
  return { config: hashOf(poll), source: hashOf([url, method, query, body, poll.items, poll.key, poll.mode]) };
}
