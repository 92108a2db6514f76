import type { Socket } from "node:net";
import type { SocketTarget } from "../open-socket.ts";

/** A server that keeps mails, and an account there. */
export interface ImapServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` before anything is said, or `none`. */
  readonly security: "tls" | "starttls" | "none";
  readonly username: string;
  readonly password?: string | undefined;
  /** Of OAuth2, in place of a password. */
  readonly accessToken?: string | undefined;
  /** Certificates of authorities, as PEM, in place of those that are known everywhere. */
  readonly ca?: string | undefined;
}

export interface MailboxLimits {
  /** Milliseconds for the whole session. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Which mailbox is opened, and whether its mails may be marked. */
export interface MailboxChoice {
  readonly path: string;
  readonly isWritable: boolean;
}

/** A mail without its content. */
export interface MailSummary {
  readonly uid: number;
  /** Bytes, as the server says. */
  readonly size: number;
  /** When the server received it; null where it does not say. */
  readonly receivedAt: Date | null;
  readonly isSeen: boolean;
}

/** An open mailbox. Its methods throw OutboundError and MailRefused. */
export interface Mailbox {
  /** What UIDs are valid with: with another one, they mean other mails. */
  readonly uidValidity: string;
  /** How many mails there are; changes as mails come and go. */
  exists(): number;
  /** Mails by their places, from 1 on, both included; ascending by UID. */
  list(first: number, last: number): Promise<MailSummary[]>;
  /** Bytes of a mail as it was sent, from `start` on: fewer than `most` at its end. Null for a mail that is gone. */
  read(uid: number, start: number, most: number): Promise<Buffer | null>;
  /** Marks mails as read; false if the server does not let them be. */
  markSeen(uids: readonly number[]): Promise<boolean>;
}

export type OpenImapSocket = (target: SocketTarget) => Promise<Socket>;

/** The most bytes that one `read` may ask for. */
export const readBytesMax = 262_144;
