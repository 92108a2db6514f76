import { nextPollAt, type PollTimes } from "#lib/flows/polls/poll-trigger.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { query, type RunStatement } from "#lib/platform/database.ts";

/** A poll that this process has claimed. Its writes name the `fence`, which the next claim raises. */
export interface PollClaim extends Record<string, unknown> {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly version: number;
  readonly settings: string | null;
  readonly fence: number;
  readonly step: number;
  readonly isBegun: boolean;
  readonly failures: number;
  readonly validators: string | null;
}

/**
 * Concurrent polls of a process: of sources whose last poll failed, and of the others. Most of them wait for an answer,
 * and sources that hang leave room for others.
 */
export const pollsMax = { steady: 12, failing: 6 } as const;
/** The same of a workspace, over all processes: of either kind. */
const ofWorkspaceMax = 2;
const leaseSeconds = 30;
/** How often a polling process renews its claim. */
export const renewMs = 10_000;

// A workspace with its maximum of polls in progress is left out first: its overdue ones may be thousands.
const claim = `
  WITH busy AS (
    SELECT workspace_id, count(*) AS polls FROM flow_poll WHERE lease_until > now() AND (failures > 0) = $2
    GROUP BY workspace_id),
  due AS (
    SELECT flow_id, next_at, row_number() OVER (PARTITION BY p.workspace_id ORDER BY next_at, flow_id) + coalesce(b.polls, 0) AS place
    FROM (SELECT * FROM flow_poll WHERE next_at <= now() AND (lease_until IS NULL OR lease_until <= now())
      AND (failures > 0) = $2 AND workspace_id NOT IN (SELECT workspace_id FROM busy WHERE polls >= ${ofWorkspaceMax})
      ORDER BY next_at LIMIT 1000) p
    LEFT JOIN busy b ON b.workspace_id = p.workspace_id),
  chosen AS (
    SELECT flow_id FROM due WHERE place <= ${ofWorkspaceMax} ORDER BY place, next_at LIMIT $1),
  taken AS (
    UPDATE flow_poll p SET fence = p.fence + 1, lease_until = now() + interval '${leaseSeconds} seconds'
    FROM chosen c WHERE p.flow_id = c.flow_id AND p.next_at <= now() AND (p.lease_until IS NULL OR p.lease_until <= now())
    RETURNING p.*)
  SELECT f.id, f.workspace_id AS "workspaceId", f.name, f.version, f.settings, t.fence, t.step, t.is_begun AS "isBegun",
    t.failures, t.validators
  FROM taken t JOIN flow f ON f.id = t.flow_id WHERE f.status = 'active'`;

/**
 * Claims due polls, either of sources whose last poll failed or of the others. Workspaces take turns. Safe to call in
 * several processes at once: each poll is claimed by one.
 */
export async function claimPolls(limit: number, failing: boolean): Promise<PollClaim[]> {
  return await query<PollClaim>("claim-polls", claim, [limit, failing]);
}

const nextDue = `
  SELECT (extract(epoch FROM next_at - now()) * 1000)::float8 AS ms FROM flow_poll
  WHERE lease_until IS NULL OR lease_until <= now() ORDER BY next_at LIMIT 1`;

/** How soon to check again for a due poll whose workspace has its maximum in progress. */
const againMs = 1_000;

/** Milliseconds until the next poll has to be checked; null if there is none. */
export async function nextPollMs(): Promise<number | null> {
  const [row] = await query<{ ms: number }>("next-poll", nextDue, []);
  return row === undefined ? null : Math.max(againMs, row.ms);
}

const renew = `
  UPDATE flow_poll SET lease_until = now() + interval '${leaseSeconds} seconds' WHERE flow_id = $1 AND fence = $2 RETURNING flow_id`;

/** False if the claim is lost. */
export async function renewClaim({ id, fence }: PollClaim): Promise<boolean> {
  return (await query("renew-poll", renew, [id, fence])).length > 0;
}

const takeStep = `
  UPDATE flow_poll p SET step = step + 1 FROM flow f
  WHERE p.flow_id = $1 AND p.fence = $2 AND p.step = $3 AND f.id = p.flow_id AND f.status = 'active' RETURNING p.flow_id`;

/**
 * Takes the poll's next write step, in the write's transaction; false if it was already taken, or if the claim is lost.
 */
export async function takePollStep(run: RunStatement, { id, fence }: PollClaim, step: number): Promise<boolean> {
  return (await run("take-poll-step", takeStep, [id, fence, step])).length > 0;
}

// With `isPast`, `validators` replaces the seen items.
const succeed = `
  WITH ended AS (
    UPDATE flow_poll SET polled_at = now(), next_at = $3, lease_until = NULL, failures = 0, error = $6, is_begun = true,
      items = coalesce($4, items), validators = $5
    WHERE flow_id = $1 AND fence = $2 RETURNING flow_id)
  DELETE FROM polled_item i USING ended WHERE i.flow_id = ended.flow_id AND $7`;

/** The result of a successful poll. */
export interface PollEnd {
  /** How many items there were; null if nothing has changed. */
  readonly items: number | null;
  readonly validators: string | null;
  /** A problem apart from the items. */
  readonly problem?: string | null;
  /** True if there are more items: the next poll then follows at once. */
  readonly isMore?: boolean;
  /** True if `validators` covers everything seen so far, which is then deleted. */
  readonly isPast?: boolean;
}

/** Ends a successful poll. */
export async function endPoll(claimed: PollClaim, times: PollTimes, end: PollEnd): Promise<void> {
  const { items, validators, problem = null, isMore = false, isPast = false } = end;
  const next = isMore ? timeNow() : nextPollAt(times, timeNow());
  await query("end-poll", succeed, [claimed.id, claimed.fence, next, items, validators, problem, isPast]);
}

const waitMsMax = 3_600_000;
const firstWaitMs = 30_000;
const errorCharactersMax = 1_000;

const fail = `
  UPDATE flow_poll SET polled_at = now(), next_at = $3, lease_until = NULL, failures = failures + 1, error = $4,
    validators = $5
  WHERE flow_id = $1 AND fence = $2`;

/** Ends a failed poll: the next ones back off, up to an hour, until one succeeds. `validators`: how far it got. */
export async function failPoll(
  claimed: PollClaim,
  times: PollTimes,
  error: string,
  validators: string | null = claimed.validators,
): Promise<void> {
  const usual = "everyMs" in times ? times.everyMs : firstWaitMs;
  const waitMs = Math.min(waitMsMax, usual * 2 ** Math.min(claimed.failures, 12));
  const message = error.length > errorCharactersMax ? `${error.slice(0, errorCharactersMax)}…` : error;
  await query("fail-poll", fail, [
    claimed.id,
    claimed.fence,
    nextPollAt(times, timeNow(), waitMs),
    message,
    validators,
  ]);
}

const postpone = `
  UPDATE flow_poll SET next_at = now() + interval '30 seconds', lease_until = NULL, error = $3, validators = $4
  WHERE flow_id = $1 AND fence = $2`;

/** Ends a poll that could not start all its runs: it is repeated soon. `validators`: how far it got. */
export async function postponePoll(
  { id, fence, validators: before }: PollClaim,
  reason: string,
  validators: string | null = before,
): Promise<void> {
  await query("postpone-poll", postpone, [id, fence, reason, validators]);
}

const release = "UPDATE flow_poll SET lease_until = NULL WHERE flow_id = $1 AND fence = $2";

/** Releases a claimed poll. */
export async function releasePoll({ id, fence }: PollClaim): Promise<void> {
  await query("release-poll", release, [id, fence]);
}
