import { toStorableText } from "#lib/engine/flow.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { MailPoll } from "#lib/flows/polls/mail-trigger.ts";
import { type Poll, planPoll, pollOf } from "#lib/flows/polls/poll-trigger.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { SharedRoom } from "#lib/platform/processes/shared-room.ts";
import { singleton } from "#lib/platform/singleton.ts";
import {
  endPoll,
  failPoll,
  type PollClaim,
  postponePoll,
  releasePoll,
  renewClaim,
  renewMs,
} from "#lib/polls/claims.ts";
import { readFeed } from "#lib/polls/feed/read-feed.ts";
import {
  type AnswerRoom,
  type PolledItem,
  type PollResult,
  pollFailure,
  withoutRepetitions,
} from "#lib/polls/items.ts";
import { requestItems } from "#lib/polls/request-items.ts";
import { forgetOldItems, unseenOf } from "#lib/polls/seen-items.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { type MailProgress, pollMailbox } from "./poll-mailbox.ts";
import { PollWrites, type Started } from "./start-items.ts";

/** The time limit of a poll: its request, retries, and evaluation of the answer. */
const pollMsMax = 120_000;

/** The bytes of large answers in memory at once, in all and of one workspace: a value takes many times its bytes. */
const answersMax = { max: 16_777_216, ofOwnerMax: 8_388_608, uncounted: 65_536 } as const;
const answers = () => singleton("polled-answers", () => new SharedRoom(answersMax));

/** What a poll has taken of that room, until it ends. */
class HeldAnswer implements AnswerRoom {
  readonly #workspaceId: string;
  #leave = () => {};
  #isOver = false;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  async hold(bytes: number): Promise<void> {
    this.release();
    this.#leave = await answers().enter(this.#workspaceId, bytes);
    if (!this.#isOver) return;
    this.release();
    throw tooLate();
  }

  release(): void {
    this.#leave();
    this.#leave = () => {};
  }

  end(): void {
    this.#isOver = true;
    this.release();
  }
}

/** A poll that finds all its items at once. */
type FoundPoll = Exclude<Poll, MailPoll>;

/** Performs a poll that this process has claimed, until `stop`. Throws if the database is unavailable. */
export async function pollOnce(claim: PollClaim, stop: AbortSignal): Promise<void> {
  const version = await loadVersion(claim.id, claim.version);
  const poll = version === null ? null : pollOf("active", version.definition.trigger);
  // The flow was just changed or deleted.
  if (version === null || poll === null) return await releasePoll(claim);
  const progress: MailProgress = { cursor: null, mails: 0, isMore: false, problem: null };
  const renewing = setInterval(() => void renewClaim(claim).catch(() => {}), renewMs).unref();
  const answer = new HeldAnswer(claim.workspaceId);
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(pollMsMax)]);
    if (poll.kind === "mail") return await pollWholeMailbox(claim, poll, progress, signal);
    const found = await find(claim, poll, version.variables.value, { answer, signal });
    if (found === null) return await endPoll(claim, poll.times, { items: null, validators: claim.validators });
    await startNew(claim, poll, found);
  } catch (error) {
    if (stop.aborted) return await releasePoll(claim);
    if (isUnavailable(error) && !isPollFailure(error)) throw error;
    await failPoll(claim, poll.times, reasonOf(claim, error), validatorsOf(claim, progress));
  } finally {
    answer.end();
    clearInterval(renewing);
  }
}

async function pollWholeMailbox(claim: PollClaim, poll: MailPoll, progress: MailProgress, signal: AbortSignal) {
  const started = await pollMailbox(claim, poll, progress, { timeoutMs: pollMsMax - 5_000, signal });
  const validators = validatorsOf(claim, progress);
  // Its current owner continues.
  if (started === "lost") return;
  if (started === "full") return await postponePoll(claim, noRoom, validators);
  const { mails: items, isMore, problem } = progress;
  await endPoll(claim, poll.times, { items, validators, isMore, problem, isPast: true });
}

function validatorsOf(claim: PollClaim, { cursor }: MailProgress): string | null {
  return cursor === null ? claim.validators : JSON.stringify(cursor);
}

const noRoom = "Too many runs are queued in the workspace: the rest starts when there is room";

async function find(
  claim: PollClaim,
  poll: FoundPoll,
  variables: unknown,
  { answer, signal }: { readonly answer: AnswerRoom; readonly signal: AbortSignal },
): Promise<PollResult | null> {
  const { workspaceId } = claim;
  const context = { ...outsideWorld(), signal, workspaceId, answer, idempotencyKey: `${claim.id}.${claim.fence}` };
  const work = async (): Promise<PollResult | null> => {
    if (poll.kind === "rss") return await readFeed(poll.url, claim.validators, context);
    const plan = await planPoll(workspaceId, poll);
    return { items: await requestItems({ ...claim, variables }, poll, plan, context), validators: null };
  };
  return await Promise.race([work(), aborted(signal)]);
}

function tooLate(): Error {
  return pollFailure(`There was no answer within ${pollMsMax / 60_000} minutes`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () => reject(tooLate());
    if (signal.aborted) refuse();
    else signal.addEventListener("abort", refuse, { once: true });
  });
}

async function startNew(claim: PollClaim, poll: FoundPoll, { items: found, validators }: PollResult): Promise<void> {
  const items = withoutRepetitions(found);
  const unseen = await unseenOf(claim.id, items);
  const started = await write(claim, poll, unseen);
  // Its current owner continues.
  if (started === "lost") return;
  if (started === "full") return await postponePoll(claim, noRoom);
  if (unseen.length > 0) await forgetOldItems(claim.id, items);
  await endPoll(claim, poll.times, { items: items.length, validators });
}

async function write(claim: PollClaim, poll: FoundPoll, unseen: readonly PolledItem[]): Promise<Started> {
  const writes = new PollWrites(claim, poll.kind);
  if (!claim.isBegun) return await writes.note(unseen);
  if (unseen.length === 0) return "all";
  return poll.kind === "poll" && poll.batch ? await writes.startOne(unseen) : await writes.startEach(unseen);
}

/** The names of failures of the polled source. Names, because other bundles have copies of these classes. */
const expected = new Set(["NodeFailure", "ExpressionFailure", "OutboundError", "UnreadableCredential"]);

function isPollFailure(error: unknown): error is Error {
  return error instanceof Error && expected.has(error.name);
}

function reasonOf({ id: flowId }: PollClaim, error: unknown): string {
  if (isPollFailure(error)) return toStorableText(error.message);
  logLine("error", "A poll failed unexpectedly", { flowId, ...errorFields(error) });
  return "The poll failed because of an internal error; see the server's log";
}
