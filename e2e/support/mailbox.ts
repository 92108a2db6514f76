// A mail server that keeps its mails: the part of SMTP that a client needs.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { eventually } from "./eventually.ts";

export interface KeptMail {
  readonly to: string;
  readonly text: string;
}

export interface Mailbox {
  /** For `SMTP_URL`. */
  readonly url: string;
  readonly mails: KeptMail[];
  /** The link in the newest mail to this address that contains these words. */
  link(to: string, words: string): Promise<string>;
  close(): void;
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: KeptMail[] = [];
  const server = createServer((socket) => void converse(socket, mails).catch(() => socket.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    link: (to, words) =>
      eventually(`a mail with "${words}" reaches ${to}`, () => {
        const mail = mails.findLast((one) => one.to === to && one.text.includes(words));
        return /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0];
      }),
    close: () => server.close(),
  };
}

async function converse(socket: Socket, mails: KeptMail[]): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let to = "";
  let data: string[] | null = null;
  let rest = "";
  say("220 mailbox");
  socket.setEncoding("utf8");
  for await (const chunk of socket) {
    const lines = `${rest}${chunk}`.split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (data !== null && line === ".") {
        mails.push({ to, text: decoded(data.join("\r\n")) });
        data = null;
        say("250 kept");
      } else if (data !== null) data.push(line);
      else if (/^DATA/i.test(line)) {
        data = [];
        say("354 go on");
      } else {
        to = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1] ?? to;
        say(/^QUIT/i.test(line) ? "221 bye" : "250 ok");
      }
    }
  }
}

/** Quoted-printable, as far as a link needs it: soft line breaks and `=3D`. */
function decoded(text: string): string {
  return text.replaceAll("=\r\n", "").replaceAll("=3D", "=");
}
