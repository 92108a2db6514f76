import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError } from "#lib/errors.ts";
import { deleteFiles } from "#lib/files/delete-files.ts";
import { incomingPath } from "#lib/files/places/disk.ts";
import { saveFile } from "#lib/files/save-file.ts";
import { convert } from "#lib/formats/convert.ts";
import { type LeftOut, mailLimits, type ReadAttachment, type ReadMail } from "#lib/formats/mail.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import { newId } from "#lib/platform/ids.ts";
import { type Mailbox, type MailSummary, readBytesMax } from "#lib/platform/outbound/imap/imap-server.ts";
import type { MailboxAccount } from "./mailbox-account.ts";

/** An attachment as stored for a flow. */
interface SavedAttachment extends FileReference {
  /** The id by which the HTML refers to it (`cid:…`); null if it does not. */
  readonly contentId: string | null;
}

/** The input of a mail's run. */
export interface MailBody extends Omit<ReadMail, "attachments"> {
  readonly uid: number;
  /** Bytes of the raw mail. */
  readonly size: number;
  /** ISO 8601: when the server received it. */
  readonly receivedAt: string | null;
  readonly attachments: readonly SavedAttachment[];
}

interface Reading {
  readonly workspaceId: string;
  readonly account: MailboxAccount;
  readonly signal: AbortSignal;
}

/** Reads a mail and stores its attachments; null for a mail that is gone. Throws OutboundError, MailRefused. */
export async function readMail(box: Mailbox, summary: MailSummary, reading: Reading): Promise<MailBody | null> {
  const downloaded = await downloadMail(box, summary.uid);
  if (downloaded === null) return null;
  try {
    if (downloaded.size === 0) return unreadMail(summary, "The mail server gives nothing of it");
    const read = await parsed(downloaded, reading);
    return await stored({ ...summary, size: Math.max(downloaded.size, summary.size) }, read, reading);
  } finally {
    await removeDownloaded(downloaded);
  }
}

/** What is known about a mail that cannot be read. */
export function unreadMail({ uid, size, receivedAt }: MailSummary, reason: string): MailBody {
  const leftOut = [{ name: "mail", contentType: "message/rfc822", size, reason }];
  return { ...nothing, uid, size, receivedAt: receivedAt?.toISOString() ?? null, attachments: [], leftOut };
}

const nothing: ReadMail = {
  ...{ from: null, to: [], cc: [], replyTo: [], subject: null, text: null, html: null },
  ...{ date: null, messageId: null, inReplyTo: null, attachments: [], leftOut: [] },
};

async function parsed(mail: DownloadedMail, { workspaceId, account, signal }: Reading): Promise<ReadMail> {
  const read = async (isHeadOnly: boolean) =>
    await convert({ mail: { path: mail.path, isCut: mail.isCut, isHeadOnly } }, workspaceId, signal, mailLimits.timeMs);
  const fullMail = await read(false);
  if ("json" in fullMail) return await hidden(fullMail.json, account);
  const head = await read(true);
  const leftOut: LeftOut = {
    ...{ name: "mail", contentType: "message/rfc822", size: mail.size },
    reason: `It cannot be read: ${fullMail.problem}`,
  };
  const text = "json" in head ? await hidden(head.json, account) : nothing;
  return { ...text, text: null, html: null, attachments: [], leftOut: [leftOut] };
}

/** Masks the account's secrets, because runs are shown. */
async function hidden(json: string, { mask }: MailboxAccount): Promise<ReadMail> {
  const value = (await parseOwnJson(json)) as ReadMail;
  return (await mask.output({ json, value })).value as ReadMail;
}

async function stored(
  { uid, size, receivedAt }: MailSummary,
  { attachments, leftOut, ...text }: ReadMail,
  { workspaceId, signal }: Reading,
): Promise<MailBody> {
  const saved: SavedAttachment[] = [];
  const left = [...leftOut];
  try {
    for (const attachment of attachments) {
      signal.throwIfAborted();
      const { name, contentType, contentId } = attachment;
      const file = await saveAttachment(workspaceId, attachment);
      if ("file" in file) saved.push({ ...file, contentId });
      else left.push({ name: name ?? "attachment", contentType, size: attachment.size, reason: file.reason });
    }
  } catch (error) {
    await dropAttachments(workspaceId, saved);
    throw error;
  }
  return { uid, ...text, size, receivedAt: receivedAt?.toISOString() ?? null, attachments: saved, leftOut: left };
}

async function saveAttachment(
  workspaceId: string,
  { path, name, contentType, size }: ReadAttachment,
): Promise<FileReference | { readonly reason: string }> {
  try {
    const bytes = createReadStream(path) as AsyncIterable<Buffer>;
    return await saveFile(workspaceId, { name, contentType, bytesExpected: size, bytes });
  } catch (error) {
    if (error instanceof AppError && error.code === "PAYLOAD_TOO_LARGE") return { reason: error.message };
    throw error;
  }
}

/** Deletes the attachments of a mail whose run is not started. */
export async function dropAttachments(workspaceId: string, saved: readonly SavedAttachment[]): Promise<void> {
  if (saved.length === 0) return;
  // If this fails, the sweep removes them as unreferenced files.
  const ids = saved.map(({ file }) => file);
  await deleteFiles(workspaceId, ids).catch(() => []);
}

/** How long a mail's download may take; after that, only the received part is used. */
const downloadMsMax = 40_000;

/** A raw mail in a file, which the caller removes. */
interface DownloadedMail {
  readonly path: string;
  readonly size: number;
  /** True if it is truncated: too large, or downloaded too slowly. */
  readonly isCut: boolean;
}

/** Null for a mail that is gone. Throws OutboundError, MailRefused. */
async function downloadMail(box: Mailbox, uid: number): Promise<DownloadedMail | null> {
  // A killed process's file is removed with its stale uploads.
  const path = incomingPath(newId("file"));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "wx", 0o600);
  const beganAt = performance.now();
  let size = 0;
  let isComplete = false;
  let isGone = false;
  try {
    while (!isComplete && size < mailLimits.bytes && performance.now() - beganAt < downloadMsMax) {
      const part = await box.read(uid, size, readBytesMax);
      isGone = part === null;
      if (part === null) break;
      for (let index = 0; index < part.length; ) index += (await file.write(part, index)).bytesWritten;
      size += part.length;
      isComplete = part.length < readBytesMax;
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  if (size > 0 || !isGone) return { path, size, isCut: !isComplete };
  await rm(path, { force: true });
  return null;
}

/** Removes a mail's file, and those of its attachments. */
async function removeDownloaded({ path }: DownloadedMail): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(basename(path))) await rm(join(folder, name), { force: true });
  }
}
