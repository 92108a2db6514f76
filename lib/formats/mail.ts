/** A mail that lies in a file as it was sent. Attachments are written beside it, to `<path>.<number>`. */
export interface MailReading {
  readonly mail: {
    readonly path: string;
    /** Only its header is read, which may still be had of a mail that is too much. */
    readonly isHeadOnly: boolean;
    /** Its end is missing. */
    readonly isCut: boolean;
  };
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface ReadAttachment {
  /** Where its bytes are. */
  readonly path: string;
  readonly name: string | null;
  readonly contentType: string;
  readonly size: number;
  /** By what the HTML names it: `cid:…`; null where it does not. */
  readonly contentId: string | null;
}

/** What a mail says; null and empty where it does not. */
export interface ReadMail {
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly replyTo: readonly MailAddress[];
  readonly subject: string | null;
  readonly text: string | null;
  readonly html: string | null;
  /** ISO 8601. */
  readonly date: string | null;
  readonly messageId: string | null;
  readonly inReplyTo: string | null;
  readonly attachments: readonly ReadAttachment[];
  /** What there is no room for, and why. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly name: string;
  readonly contentType: string | null;
  /** Bytes; null where nobody knows. */
  readonly size: number | null;
  readonly reason: string;
}

export const mailLimits = {
  /** Of a mail as it is sent. */
  bytes: 64 * 1_048_576,
  headBytes: 262_144,
  levels: 50,
  attachments: 100,
  leftOut: 20,
  addresses: 100,
  /** Of a line: a subject, a name. */
  lineCharacters: 2_000,
  /** Of the text, and of the HTML. */
  textCharacters: 1_000_000,
  timeMs: 20_000,
} as const;
