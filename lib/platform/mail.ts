import { createTransport, type Transporter } from "nodemailer";
import { env } from "./env.ts";
import { errorFields, logLine } from "./log.ts";
import type { MailServer } from "./outbound/outbound-mail.ts";
import { singleton } from "./singleton.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text, one paragraph per line. */
  readonly text: string;
}

const waitMsMax = 10_000;

/** True if a mail server is configured. */
export function canSendMail(): boolean {
  return env().mail !== undefined;
}

/**
 * Sends a mail through the operator's server (`SMTP_URL`). False if there is none or it refused, because no request may
 * fail for a mail.
 */
export async function sendMail({ to, subject, text }: Mail): Promise<boolean> {
  const { mail } = env();
  if (mail === undefined) return false;
  try {
    // The address as an object, so that it cannot be parsed as a list of addresses.
    await transport(mail.smtpUrl).sendMail({ from: mail.from, to: { name: "", address: to }, subject, text });
    return true;
  } catch (error) {
    logLine("error", "A mail could not be sent", errorFields(error));
    return false;
  }
}

/** The operator's server and sender, for flows' mails; null if there is none. */
export function serviceMailServer(): { readonly server: MailServer; readonly from: string } | null {
  const { mail } = env();
  if (mail === undefined) return null;
  const { protocol, hostname, port, username, password } = new URL(mail.smtpUrl);
  const isTls = protocol === "smtps:";
  const server = {
    host: hostname,
    port: Number(port || (isTls ? 465 : 587)),
    // As for the service's own mails: TLS if the server offers it.
    security: isTls ? ("tls" as const) : ("offered" as const),
    ...(username === "" ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
  };
  return { server, from: mail.from };
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
