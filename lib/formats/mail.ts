/** A raw mail in a file. Attachments are written beside it, to `<path>.<number>`. */
export interface MailReading {
  readonly mail: {
    readonly path: string;
    /** Reads only the header, which works even for a mail that is too large. */
    readonly isHeadOnly: boolean;
    /** The mail is truncated. */
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
  /** The id by which the HTML refers to it (`cid:…`); null if it does not. */
  readonly contentId: string | null;
}

/** A parsed mail. Missing parts are null or empty. */
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
  /** What was left out, and why. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly name: string;
  readonly contentType: string | null;
  /** Bytes; null if unknown. */
  readonly size: number | null;
  readonly reason: string;
}

export const mailLimits = {
  /** A raw mail. */
  bytes: 64 * 1_048_576,
  headBytes: 262_144,
  levels: 50,
  attachments: 100,
  leftOut: 20,
  addresses: 100,
  /** A line: a subject, a name. */
  lineCharacters: 2_000,
  /** The text and the HTML, each. */
  textCharacters: 1_000_000,
  timeMs: 20_000,
} as const;
