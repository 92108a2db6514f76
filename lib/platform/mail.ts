import { createTransport, type Transporter } from "nodemailer";
import { env } from "./env.ts";
import { errorFields, logLine } from "./log.ts";
import { singleton } from "./singleton.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text, a paragraph a line. */
  readonly text: string;
}

const waitMsMax = 10_000;

/** True where the operator named a mail server. */
export function canSendMail(): boolean {
  return env().mail !== undefined;
}

/**
 * Hands a mail to the operator's mail server (`SMTP_URL`); false when there is none, or it did not take the mail: a
 * mail is never what a request stands or falls with.
 */
export async function sendMail({ to, subject, text }: Mail): Promise<boolean> {
  const { mail } = env();
  if (mail === undefined) return false;
  try {
    // The address as an object: nothing in it is read as a list of addresses.
    await transport(mail.smtpUrl).sendMail({ from: mail.from, to: { name: "", address: to }, subject, text });
    return true;
  } catch (error) {
    logLine("error", "A mail could not be sent", errorFields(error));
    return false;
  }
}

function transport(url: string): Transporter {
  return singleton("mail", () =>
    createTransport({
      url,
      connectionTimeout: waitMsMax,
      greetingTimeout: waitMsMax,
      socketTimeout: waitMsMax,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
}
