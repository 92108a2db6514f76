import { mkdir, open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { incomingPath } from "#lib/files/places/disk.ts";
import { mailLimits } from "#lib/formats/mail.ts";
import { newId } from "#lib/platform/ids.ts";
import { type Mailbox, readBytesMax } from "#lib/platform/outbound/imap/imap-server.ts";

/** How long a mail may take to come; what has come by then is what there is. */
const downloadMsMax = 40_000;

/** A mail as it was sent, in a file that its user removes. */
export interface DownloadedMail {
  readonly path: string;
  readonly size: number;
  /** Its end is missing: it is too large, or came too slowly. */
  readonly isCut: boolean;
}

/** Null for a mail that is gone. Throws OutboundError, MailRefused. */
export async function downloadMail(box: Mailbox, uid: number): Promise<DownloadedMail | null> {
  // Whatever is left there by a process that was killed is removed with its unfinished uploads.
  const path = incomingPath(newId("file"));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "wx", 0o600);
  const beganAt = performance.now();
  let size = 0;
  let isWhole = false;
  let isGone = false;
  try {
    while (!isWhole && size < mailLimits.bytes && performance.now() - beganAt < downloadMsMax) {
      const part = await box.read(uid, size, readBytesMax);
      isGone = part === null;
      if (part === null) break;
      for (let at = 0; at < part.length; ) at += (await file.write(part, at)).bytesWritten;
      size += part.length;
      isWhole = part.length < readBytesMax;
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  if (size > 0 || !isGone) return { path, size, isCut: !isWhole };
  await rm(path, { force: true });
  return null;
}

/** Removes a mail's file, and those of its attachments. */
export async function removeDownloaded({ path }: DownloadedMail): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(basename(path))) await rm(join(folder, name), { force: true });
  }
}
