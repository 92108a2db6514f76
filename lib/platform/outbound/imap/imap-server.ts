import type { Socket } from "node:net";
import type { SocketTarget } from "../open-socket.ts";

/** An IMAP server and an account on it. */
export interface ImapServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` before any command, or `none`. */
  readonly security: "tls" | "starttls" | "none";
  readonly username: string;
  readonly password?: string | undefined;
  /** An OAuth2 token instead of a password. */
  readonly accessToken?: string | undefined;
  /** PEM certificates of authorities to trust instead of the well-known ones. */
  readonly ca?: string | undefined;
}

export interface MailboxLimits {
  /** Milliseconds for the whole session. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Which mailbox to open, and whether its mails may be marked. */
export interface MailboxChoice {
  readonly path: string;
  readonly isWritable: boolean;
}

/** A mail without its content. */
export interface MailSummary {
  readonly uid: number;
  /** Bytes, according to the server. */
  readonly size: number;
  /** When the server received it; null if unknown. */
  readonly receivedAt: Date | null;
  readonly isSeen: boolean;
}

/** An open mailbox. Its methods throw OutboundError and MailRefused. */
export interface Mailbox {
  /** UIDs are only valid together with this value: with another one, they identify other mails. */
  readonly uidValidity: string;
  /** The current number of mails. */
  exists(): number;
  /** Mails by sequence number, from 1, both inclusive; ascending by UID. */
  list(first: number, last: number): Promise<MailSummary[]>;
  /** Bytes of the raw mail from `start`: fewer than `bytesMax` at its end. Null for a mail that is gone. */
  read(uid: number, start: number, bytesMax: number): Promise<Buffer | null>;
  /** Marks mails as read; false if the server refuses. */
  markSeen(uids: readonly number[]): Promise<boolean>;
}

export type OpenImapSocket = (target: SocketTarget) => Promise<Socket>;

/** The maximum for one `read`. */
export const readBytesMax = 262_144;
