import { readFileSync, writeFileSync } from "node:fs";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { Converted } from "./formats.ts";
import {
  type LeftOut,
  type MailAddress,
  type MailReading,
  mailLimits,
  type ReadAttachment,
  type ReadMail,
} from "./mail.ts";

/** Control characters that mean nothing in text. Each takes six bytes as JSON. Real text has few of them. */
const unreadableMax = 10_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
const unreadable = /[\0-\x08\x0b\x0c\x0e-\x1f]/g;

const { levels, headBytes, lineCharacters, textCharacters } = mailLimits;

/** Parses a mail in this process: call it only in a child process, because a mail can take all time or memory. */
export async function readMailInThread({ mail: { path, isHeadOnly, isCut } }: MailReading): Promise<Converted> {
  try {
    const bytes = readFileSync(path);
    const email = await PostalMime.parse(isHeadOnly ? headOf(bytes) : bytes, {
      // Nested mails are attachments: their content is not parsed.
      forceRfc822Attachments: true,
      maxNestingDepth: levels,
      maxHeadersSize: headBytes,
    });
    return { json: JSON.stringify(contentOf(email, path, isCut && !isHeadOnly)) };
  } catch (error) {
    return { problem: error instanceof RangeError ? "it is too large" : "its parts are too many or nested too deeply" };
  }
}

/** Up to the first empty line, and no longer than a header may be. */
function headOf(bytes: Buffer): Buffer {
  const text = bytes.subarray(0, headBytes / 2);
  const ends = [text.indexOf("\r\n\r\n"), text.indexOf("\n\n")].filter((at) => at >= 0);
  const end = ends.length === 0 ? text.lastIndexOf("\n") + 1 : Math.min(...ends);
  // Only parts declared as plain text are read as such.
  const lines = text
    .subarray(0, end)
    .toString("latin1")
    .split(/\r?\n(?![ \t])/);
  return Buffer.from(`${lines.filter((line) => !/^content-/i.test(line)).join("\r\n")}\r\n\r\n`, "latin1");
}

function contentOf(email: Email, path: string, isCut: boolean): ReadMail {
  const leftOut: LeftOut[] = [];
  const leave = (omission: LeftOut) => {
    if (leftOut.length < mailLimits.leftOut) leftOut.push(omission);
  };
  const cut = (name: string, contentType: string, text: string | undefined) => {
    if (text === undefined) return null;
    let left = unreadableMax;
    const keepSome = (character: string) => (left-- > 0 ? character : "");
    const readable = text.slice(0, textCharacters).replace(unreadable, keepSome).toWellFormed();
    if (text.length > textCharacters) {
      const reason = `It has more than ${textCharacters} characters: only the first are here`;
      leave({ name, contentType, size: text.length, reason });
    }
    return readable;
  };
  return {
    from: addressesOf([email.from ?? email.sender])[0] ?? null,
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    replyTo: addressesOf(email.replyTo),
    subject: line(email.subject),
    text: cut("text", "text/plain", email.text),
    html: cut("html", "text/html", email.html),
    date: timeOf(email.date),
    messageId: line(email.messageId),
    inReplyTo: line(email.inReplyTo),
    attachments: keep(email.attachments, path, isCut, leave),
    leftOut,
  };
}

/** Writes attachments beside the mail. If the mail is truncated, its last attachment is left out as incomplete. */
function keep(
  attachments: readonly Attachment[],
  path: string,
  isCut: boolean,
  leave: (leftOut: LeftOut) => void,
): ReadAttachment[] {
  const readAttachments: ReadAttachment[] = [];
  for (const [index, { filename, mimeType, content, contentId }] of attachments.entries()) {
    const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
    const [name, contentType, size] = [line(filename), mimeType.slice(0, 255), bytes.length];
    const isPartial = isCut && index === attachments.length - 1;
    if (isPartial || readAttachments.length >= mailLimits.attachments) {
      const reason = isPartial
        ? "The mail is too large, or came too slowly: its end is missing"
        : `A mail has at most ${mailLimits.attachments} attachments here`;
      leave({ name: name ?? "attachment", contentType, size: isPartial ? null : size, reason });
      continue;
    }
    const file = `${path}.${index}`;
    writeFileSync(file, bytes, { mode: 0o600, flag: "wx" });
    readAttachments.push({ path: file, name, contentType, size, contentId: line(contentId?.replace(/^<|>$/g, "")) });
  }
  return readAttachments;
}

function addressesOf(given: readonly (Address | undefined)[] | undefined): MailAddress[] {
  const found: MailAddress[] = [];
  for (const entry of given ?? []) {
    if (found.length >= mailLimits.addresses || entry === undefined) break;
    const mailboxes = entry.group === undefined ? [entry] : entry.group;
    for (const { name, address } of mailboxes.slice(0, mailLimits.addresses - found.length)) {
      found.push({ name: line(name) ?? "", address: line(address) ?? "" });
    }
  }
  return found;
}

function line(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === "" ? null : cutAt(text, lineCharacters);
}

/** Replaces half a surrogate pair with U+FFFD. */
const cutAt = (text: string, charactersMax: number) => text.slice(0, charactersMax).toWellFormed();

/** Null for an invalid date. */
function timeOf(date: string | undefined): string | null {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
