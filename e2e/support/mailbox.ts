// A mail server that keeps its mails: the part of SMTP that a client needs.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { eventually } from "./eventually.ts";

export interface KeptMail {
  /** The last recipient. */
  readonly to: string;
  readonly recipients: readonly string[];
  readonly text: string;
}

/** The server's reply to a command instead of accepting it: `550 no`, or null to never reply. */
type Reply = (command: string) => string | null | undefined;

export interface Mailbox {
  /** For `SMTP_URL`. */
  readonly url: string;
  readonly mails: KeptMail[];
  /** The link in the newest mail to this address that contains these words. */
  link(to: string, label: string): Promise<string>;
  close(): void;
}

export async function openMailbox(reply: Reply = () => undefined): Promise<Mailbox> {
  const mails: KeptMail[] = [];
  const server = createServer((socket) => void serveConnection(socket, mails, reply).catch(() => socket.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    link: (to, label) =>
      eventually(`a mail with "${label}" reaches ${to}`, () => {
        const mail = mails.findLast((candidate) => candidate.to === to && candidate.text.includes(label));
        return /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0];
      }),
    close: () => server.close(),
  };
}

async function serveConnection(socket: Socket, mails: KeptMail[], reply: Reply): Promise<void> {
  const send = (line: string) => socket.write(`${line}\r\n`);
  let recipients: string[] = [];
  let data: string[] | null = null;
  let rest = "";
  send("220 mailbox");
  socket.setEncoding("utf8");
  for await (const chunk of socket) {
    const lines = `${rest}${chunk}`.split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const answer = data === null ? reply(line) : undefined;
      if (data !== null && line === ".") {
        mails.push({ to: recipients.at(-1) ?? "", recipients, text: decoded(data.join("\r\n")) });
        recipients = [];
        data = null;
        send("250 kept");
      } else if (data !== null) data.push(line);
      else if (answer === undefined && /^DATA/i.test(line)) {
        data = [];
        send("354 go on");
      } else if (answer === undefined) {
        recipients.push(...(/^RCPT TO:<([^>]*)>/i.exec(line)?.slice(1) ?? []));
        send(/^QUIT/i.test(line) ? "221 bye" : /^AUTH/i.test(line) ? "235 welcome" : "250 ok");
      } else if (answer !== null) send(answer);
    }
  }
}

/** Quoted-printable, as far as a link needs it: soft line breaks and `=3D`. */
function decoded(text: string): string {
  return text.replaceAll("=\r\n", "").replaceAll("=3D", "=");
}
