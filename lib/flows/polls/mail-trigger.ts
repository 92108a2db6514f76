import { z } from "zod";
import type { credentialType } from "#lib/credentials/credentials.ts";
import { isStorableText } from "#lib/engine/flow.ts";

/** Milliseconds between polls. */
export const everyMsLimits = { min: 30_000, max: 30 * 86_400_000 } as const;

export const everyMs = z
  .int("must be a whole number of milliseconds")
  .min(everyMsLimits.min, `must be at least ${everyMsLimits.min}`)
  .max(everyMsLimits.max, `must be at most ${everyMsLimits.max}`);

export const flag = z.boolean("must be true or false");

const name = (label: string, charactersMax: number) =>
  z
    .string(`must be ${label}`)
    .min(1, "must not be empty")
    .max(charactersMax, `must have at most ${charactersMax} characters`)
    .refine(isStorableText, "must not contain U+0000 or unpaired surrogates");

export const mailConfig = z.object({
  credential: name("the name of a credential of type imap", 100),
  mailbox: name("the name of a mailbox", 500)
    .regex(/^[^\r\n]*$/, "must be one line")
    .nullish(),
  markSeen: flag.nullish(),
  everyMs: everyMs.nullish(),
  fromNow: flag.nullish(),
});

/** The default interval. */
const mailEveryMs = 60_000;
const mailboxDefault = "INBOX";

/** What an active flow with a `mail` trigger polls. */
export interface MailPoll {
  readonly kind: "mail";
  readonly times: { readonly everyMs: number };
  readonly fromNow: boolean;
  readonly credential: string;
  readonly mailbox: string;
  readonly markSeen: boolean;
}

/** Null for an invalid config. */
export function mailPollOf(config: unknown): MailPoll | null {
  const { data } = mailConfig.safeParse(config);
  if (data === undefined) return null;
  const { credential, mailbox, markSeen, everyMs: every, fromNow } = data;
  return {
    kind: "mail",
    times: { everyMs: every ?? mailEveryMs },
    fromNow: fromNow ?? true,
    credential,
    mailbox: mailbox ?? mailboxDefault,
    markSeen: markSeen ?? false,
  };
}

/** Why a flow could not sign in with this credential, as far as can be known in advance. */
export async function mailCredentialProblem(
  find: (name: string) => ReturnType<typeof credentialType>,
  config: { readonly credential?: unknown },
): Promise<string | null> {
  const { data } = mailConfig.shape.credential.safeParse(config.credential);
  if (data === undefined) return null;
  const type = await find(data);
  if (type === null) return `there is no credential named "${data}"`;
  return type === "imap" ? null : `the credential "${data}" is of type ${type}, not imap`;
}
