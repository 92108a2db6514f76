import type { Mailbox, MailSummary } from "#lib/platform/outbound/imap/imap-server.ts";
import { pollFailure } from "../items.ts";

/** A flow's position in a mailbox. Stored with its poll; moves only past mails whose runs are stored. */
export interface MailCursor {
  /** A hash of the account: many mailboxes of a server may have the same UIDVALIDITY, such as 1. Missing in older rows. */
  readonly account?: string | undefined;
  readonly uidValidity: string;
  readonly uid: number;
  /** When the server received that mail, in epoch milliseconds; null if unknown. */
  readonly at: number | null;
  /** A mail that could not be read, and the number of attempts. */
  readonly stuck?: { readonly uid: number; readonly times: number } | undefined;
}

export function readCursor(text: string | null): MailCursor | null {
  return text === null ? null : (JSON.parse(text) as MailCursor);
}

/** How many of the latest mails to check after a mailbox was recreated. */
const recentMax = 200;

/**
 * Where to continue in an account's mailbox. `isBegun`: whether existing mails may start runs. Throws NodeFailure,
 * OutboundError.
 */
export async function placeIn(
  box: Mailbox,
  account: string,
  cursor: MailCursor | null,
  isBegun: boolean,
): Promise<MailCursor> {
  const { uidValidity } = box;
  if (cursor?.uidValidity === uidValidity && (cursor.account ?? account) === account) return cursor;
  const at = { account, uidValidity };
  if (cursor === null && isBegun) return { ...at, uid: 0, at: null };
  const last = box.exists();
  const [newest] = await box.list(last, last);
  // Treating the mailbox as empty would start runs for everything in it.
  if (newest === undefined && last > 0) throw changedMeanwhile();
  const atEnd = { ...at, uid: newest?.uid ?? 0, at: timeOf(newest) };
  const since = cursor?.at ?? null;
  if (since === null) return atEnd;
  // All mails have new UIDs now, so the time of receipt decides which are new.
  const recent = await box.list(Math.max(1, last - recentMax + 1), last);
  const first = recent.findIndex(({ receivedAt }) => receivedAt !== null && receivedAt.getTime() > since);
  return first === -1 ? atEnd : { ...at, uid: (recent[first]?.uid ?? 1) - 1, at: since };
}

const changedMeanwhile = () => pollFailure("The mailbox changed while it was read");

/** The position after a mail. */
export function past({ account, uidValidity, at }: MailCursor, mail: MailSummary): MailCursor {
  return { account, uidValidity, uid: mail.uid, at: timeOf(mail) ?? at };
}

const timeOf = (mail: MailSummary | undefined) => mail?.receivedAt?.getTime() ?? null;

const triesMax = 3;

/** The first mails after a UID, at most `limit`, in order. Throws NodeFailure, OutboundError. */
export async function mailsAfter(box: Mailbox, uid: number, limit: number): Promise<MailSummary[]> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const found = await tryMailsAfter(box, uid, limit);
    if (found !== null) return found;
  }
  throw changedMeanwhile();
}

/** Null if mails were removed meanwhile, which shifts the sequence numbers. */
async function tryMailsAfter(box: Mailbox, uid: number, limit: number): Promise<MailSummary[] | null> {
  const isNew = (mail: MailSummary) => mail.uid > uid;
  const exists = box.exists();
  const tailFrom = Math.max(1, exists - limit + 1);
  const tail = await box.list(tailFrom, exists);
  const [oldest] = tail;
  // Usually there are few new mails, at the end.
  if (oldest === undefined || !isNew(oldest) || tailFrom === 1) return tail.filter(isNew);
  let [low, high] = [1, tailFrom];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [mail] = await box.list(middle, middle);
    if (mail === undefined) return null;
    if (isNew(mail)) high = middle;
    else low = middle + 1;
  }
  // Includes the previous mail, which shows that none was skipped.
  const page = await box.list(Math.max(1, low - 1), low + limit - 1);
  const [before] = page;
  if (before === undefined || (low > 1 && isNew(before))) return null;
  return page.filter(isNew).slice(0, limit);
}
