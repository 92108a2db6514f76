import type { FetchMessageObject, ImapFlow } from "imapflow";
import { OutboundError } from "../outbound-error.ts";
import { type Mailbox, type MailSummary, readBytesMax } from "./imap-server.ts";

/** Awaits the server's answer, translating failures. `bytes`: how much it may send. */
type AwaitAnswer = <Answer>(work: Promise<Answer>, bytes?: number) => Promise<Answer>;

/** Bytes of a mail's summary. */
const summaryBytesMax = 1_024;

/** A client's open mailbox. */
export function imapMailbox(client: ImapFlow, awaitAnswer: AwaitAnswer): Mailbox {
  const { mailbox } = client;
  if (mailbox === false) throw new OutboundError("BAD_RESPONSE", "The mail server opened no mailbox");
  return {
    uidValidity: String(mailbox.uidValidity),
    exists: () => (client.mailbox === false ? 0 : client.mailbox.exists),
    list: (first, last) => awaitAnswer(list(client, first, last), (last - first + 1) * summaryBytesMax),
    read: (uid, start, requested) => {
      const bytesMax = Math.min(requested, readBytesMax);
      return awaitAnswer(read(client, uid, start, bytesMax), bytesMax);
    },
    markSeen: async (uids) => {
      if (uids.length === 0) return true;
      return await awaitAnswer(mark(client, uids));
    },
  };
}

async function list(client: ImapFlow, first: number, last: number): Promise<MailSummary[]> {
  if (first > last) return [];
  const found = new Map<number, MailSummary>();
  const fields = { uid: true, size: true, flags: true, internalDate: true } as const;
  for await (const message of client.fetch(`${first}:${last}`, fields)) {
    const summary = summaryOf(message);
    // A server may send more than was requested.
    if (summary !== null && found.size <= last - first) found.set(summary.uid, summary);
  }
  return [...found.values()].sort((a, b) => a.uid - b.uid);
}

function summaryOf({ uid, size, flags, internalDate }: FetchMessageObject): MailSummary | null {
  if (!Number.isSafeInteger(uid) || uid < 1) return null;
  const received = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime();
  return {
    uid,
    size: Number.isSafeInteger(size) ? Number(size) : 0,
    receivedAt: Number.isNaN(received) ? null : new Date(received),
    isSeen: flags?.has("\\Seen") === true,
  };
}

async function read(client: ImapFlow, uid: number, start: number, maxLength: number): Promise<Buffer | null> {
  const answer = await client.fetchOne(String(uid), { uid: true, source: { start, maxLength } }, { uid: true });
  if (answer === false || answer.uid !== uid) return null;
  return answer.source?.subarray(0, maxLength) ?? Buffer.alloc(0);
}

async function mark(client: ImapFlow, uids: readonly number[]): Promise<boolean> {
  const isMarked = await client.messageFlagsAdd([...uids], ["\\Seen"], { uid: true, silent: true });
  // The library returns the same for a refusal and for a lost connection.
  if (!isMarked && !client.usable) throw new OutboundError("RESET", "The connection was closed");
  return isMarked;
}
