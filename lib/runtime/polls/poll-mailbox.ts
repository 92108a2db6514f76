import type { MailPoll } from "#lib/flows/polls/mail-trigger.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import type { Mailbox, MailSummary } from "#lib/platform/outbound/imap/imap-server.ts";
import type { PollClaim } from "#lib/polls/claims.ts";
import { hashText, type PolledItem } from "#lib/polls/items.ts";
import { type MailCursor, mailsAfter, past, placeIn, readCursor } from "#lib/polls/mail/cursor.ts";
import { type MailboxAccount, mailboxAccount } from "#lib/polls/mail/mailbox-account.ts";
import { dropAttachments, type MailBody, readMail, unreadMail } from "#lib/polls/mail/read-mail.ts";
import { unseenOf } from "#lib/polls/seen-items.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { PollWrites, type Started } from "./start-items.ts";

/**
 * The most that one poll does; if there is more, the next one follows at once. A mail begun at the last moment takes up
 * to 80 s to download and parse, which still fits in the poll's time limit.
 */
const batch = { mails: 200, ms: 30_000 } as const;
/** The size of a batch that is stored together: mails, their characters, and the time to read them. */
const together = { mails: 20, characters: 1_048_576, ms: 5_000 } as const;
/** How often to try to read a mail that the server does not return. */
const triesMax = 3;

/** How far a mailbox poll got, even if it fails. */
export interface MailProgress {
  cursor: MailCursor | null;
  mails: number;
  isMore: boolean;
  /** A problem apart from the mails; null for none. */
  problem: string | null;
}

interface FoundMail {
  readonly item: PolledItem;
  readonly body: MailBody;
}

/** Starts a run for each new mail, and records in `progress` how far it got. Throws NodeFailure, OutboundError. */
export async function pollMailbox(
  claim: PollClaim,
  poll: MailPoll,
  progress: MailProgress,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Started> {
  const account = await mailboxAccount(claim.workspaceId, poll.credential);
  const choice = { path: poll.mailbox, isWritable: poll.markSeen };
  let running: Promise<Started> | undefined;
  try {
    return await outsideWorld().outbound.withMailbox(account.server, choice, limits, async (box) => {
      running = new MailboxPoll({ claim, poll, box, account, signal: limits.signal, progress }).run();
      return await running;
    });
  } catch (error) {
    // The deadline closes the connection; the poll then records which mail it was waiting for.
    await running?.catch(() => {});
    throw failureOf(error, account);
  }
}

interface OpenMailbox {
  readonly claim: PollClaim;
  readonly poll: MailPoll;
  readonly box: Mailbox;
  readonly account: MailboxAccount;
  readonly signal: AbortSignal;
  readonly progress: MailProgress;
}

class MailboxPoll {
  readonly #claim: PollClaim;
  readonly #poll: MailPoll;
  readonly #box: Mailbox;
  readonly #account: string;
  readonly #reading: Parameters<typeof readMail>[2];
  readonly #progress: MailProgress;
  readonly #writes: PollWrites;
  readonly #beganAt = performance.now();

  constructor({ claim, poll, box, account, signal, progress }: OpenMailbox) {
    this.#claim = claim;
    this.#poll = poll;
    this.#box = box;
    this.#account = hashText(`${account.server.host} ${account.server.username}`);
    this.#reading = { workspaceId: claim.workspaceId, account, signal };
    this.#progress = progress;
    this.#writes = new PollWrites(claim, poll.kind);
  }

  async run(): Promise<Started> {
    const { isBegun, validators } = this.#claim;
    let cursor = await placeIn(this.#box, this.#account, readCursor(validators), isBegun);
    this.#progress.cursor = cursor;
    if (!isBegun) return "all";
    for (;;) {
      const mails = await mailsAfter(this.#box, cursor.uid, together.mails);
      if (mails.length === 0) return "all";
      if (this.#progress.mails >= batch.mails || this.#isTimeUp()) {
        this.#progress.isMore = true;
        return "all";
      }
      const { started, done } = await this.#start(mails, cursor);
      if (this.#poll.markSeen) await this.#markSeen(done);
      const last = done.at(-1);
      if (last !== undefined) cursor = past(cursor, last);
      this.#progress.cursor = cursor;
      if (started !== "all") return started;
    }
  }

  #isTimeUp(): boolean {
    return performance.now() - this.#beganAt > batch.ms;
  }

  /** Starts runs for the first of these mails. `done`: those whose runs are stored, now or before. */
  async #start(mails: readonly MailSummary[], cursor: MailCursor) {
    const items = mails.map((mail) => this.#itemOf(mail, null));
    const unseen = new Set((await unseenOf(this.#claim.id, items)).map(({ key }) => key));
    const found: FoundMail[] = [];
    const beganAt = performance.now();
    let [characters, handled] = [0, 0];
    try {
      for (const [index, mail] of mails.entries()) {
        const isEnough = characters > together.characters || performance.now() - beganAt > together.ms;
        if (found.length > 0 && isEnough) break;
        const body = unseen.has(items[index]?.key ?? "") ? await this.#read(mail, cursor) : null;
        handled = index + 1;
        if (body === null) continue;
        found.push({ item: this.#itemOf(mail, body), body });
        characters += (body.text?.length ?? 0) + (body.html?.length ?? 0);
      }
    } catch (error) {
      // Starts those before it first: it may take long until this one can be read.
      await this.#store(found);
      throw error;
    }
    const started = await this.#store(found);
    const waiting = found.find(({ item }) => !this.#writes.stored.has(item));
    const before = waiting?.body.uid ?? Number.POSITIVE_INFINITY;
    return { started, done: mails.slice(0, handled).filter(({ uid }) => uid < before) };
  }

  async #store(found: readonly FoundMail[]): Promise<Started> {
    if (found.length === 0) return "all";
    // A failed write may have been committed, so its files are left to the sweep.
    const started = await this.#writes.startEach(found.map(({ item }) => item));
    const left = started === "full" ? found.filter(({ item }) => !this.#writes.stored.has(item)) : [];
    for (const { body } of left) await dropAttachments(this.#claim.workspaceId, body.attachments);
    this.#progress.mails += found.length;
    return started;
  }

  #itemOf(mail: MailSummary, body: MailBody | null): PolledItem {
    return { key: hashText(`${this.#account} ${this.#box.uidValidity} ${mail.uid}`), content: null, body: () => body };
  }

  async #read(mail: MailSummary, cursor: MailCursor): Promise<MailBody | null> {
    const times = cursor.stuck?.uid === mail.uid ? cursor.stuck.times : 0;
    if (times >= triesMax) return unreadMail(mail, `The mail server did not give it, ${times} times`);
    try {
      return await readMail(this.#box, mail, this.#reading);
    } catch (error) {
      const isOfServer = error instanceof Error && ["OutboundError", "MailRefused"].includes(error.name);
      if (isOfServer) this.#progress.cursor = { ...cursor, stuck: { uid: mail.uid, times: times + 1 } };
      throw error;
    }
  }

  async #markSeen(mails: readonly MailSummary[]): Promise<void> {
    const unmarked = mails.filter(({ isSeen }) => !isSeen).map(({ uid }) => uid);
    if (await this.#box.markSeen(unmarked)) return;
    this.#progress.problem = "The mail server does not let mails be marked as read";
  }
}

/** Compares names: other bundles have copies of these classes. Masks secrets: servers repeat what they are sent. */
function failureOf(error: unknown, { mask }: MailboxAccount): unknown {
  if (!(error instanceof Error) || !["OutboundError", "MailRefused"].includes(error.name)) return error;
  const code = "code" in error ? String(error.code) : "MAILBOX_REFUSED";
  return new NodeFailure(code, mask.message(error.message), { cause: error });
}
