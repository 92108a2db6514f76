// An IMAP server for fault tests: what a client needs to read a mailbox, and any misbehaviour that a test asks for.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface ServedMail {
  readonly uid: number;
  readonly raw: string | Buffer;
  readonly receivedAt?: Date;
  isSeen?: boolean;
}

/** Handles a command in place of the server; false for the normal behaviour. */
export type Fault = (line: string, socket: Socket, tag: string) => boolean;

export interface ImapFixture {
  readonly port: number;
  uidValidity: number;
  mails: ServedMail[];
  /** Every received command, without its tag. */
  readonly commands: string[];
  fault: Fault;
  close(): void;
}

export async function openImapServer(): Promise<ImapFixture> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    serveConnection(socket, fixture);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const fixture: ImapFixture = {
    port: (server.address() as AddressInfo).port,
    uidValidity: 1,
    mails: [],
    commands: [],
    fault: () => false,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return fixture;
}

function serveConnection(socket: Socket, fixture: ImapFixture): void {
  let rest = "";
  socket.setNoDelay(true);
  socket.setEncoding("latin1");
  socket.write("* OK [CAPABILITY IMAP4rev1 LITERAL+] ready\r\n");
  socket.on("data", (chunk: string) => {
    rest += chunk;
    for (let end = rest.indexOf("\r\n"); end !== -1; end = rest.indexOf("\r\n")) {
      const [, tag = "", line = ""] = /^(\S+) (.*)$/.exec(rest.slice(0, end)) ?? [];
      rest = rest.slice(end + 2);
      fixture.commands.push(line);
      if (!fixture.fault(line, socket, tag)) answer(line, tag, socket, fixture);
    }
  });
}

function answer(line: string, tag: string, socket: Socket, fixture: ImapFixture): void {
  const send = (text: string) => socket.write(`${text}\r\n`);
  const done = (text = "OK done") => send(`${tag} ${text}`);
  const [, isByUid, verb = ""] = /^(UID )?(\w+)/i.exec(line) ?? [];
  switch (verb.toUpperCase()) {
    case "CAPABILITY":
      send("* CAPABILITY IMAP4rev1 LITERAL+");
      return void done();
    case "SELECT":
    case "EXAMINE":
      send(`* ${fixture.mails.length} EXISTS`);
      send("* FLAGS (\\Seen)");
      send(`* OK [UIDVALIDITY ${fixture.uidValidity}] valid`);
      send(`* OK [UIDNEXT ${(fixture.mails.at(-1)?.uid ?? 0) + 1}] next`);
      return void done(`OK [${verb.toUpperCase() === "SELECT" ? "READ-WRITE" : "READ-ONLY"}] open`);
    case "FETCH":
      fetch(line, isByUid !== undefined, socket, fixture);
      return void done();
    case "STORE": {
      const uids = new Set(/STORE (\S+)/.exec(line)?.[1]?.split(",").flatMap(range));
      for (const mail of fixture.mails) if (uids.has(mail.uid)) mail.isSeen = true;
      return void done();
    }
    case "LIST":
      send('* LIST () "/" INBOX');
      return void done();
    default:
      return void done();
  }
}

function range(text: string): number[] {
  const [first = 0, last = first] = text.split(":").map(Number);
  return Array.from({ length: Math.max(0, Math.min(last - first, 100_000) + 1) }, (_, index) => first + index);
}

function fetch(line: string, isByUid: boolean, socket: Socket, { mails }: ImapFixture): void {
  const [, ranges = ""] = /FETCH (\S+)/.exec(line) ?? [];
  const [, start, length] = /BODY(?:\.PEEK)?\[\]<(\d+)\.(\d+)>/.exec(line) ?? [];
  for (const requestedUid of ranges.split(",").flatMap(range)) {
    const place = isByUid ? mails.findIndex(({ uid }) => uid === requestedUid) : requestedUid - 1;
    const mail = mails[place];
    if (mail === undefined) continue;
    const raw = bytesOf(mail);
    const date = (mail.receivedAt ?? new Date(1_700_000_000_000)).toUTCString();
    const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date) ?? [];
    const about = `UID ${mail.uid} RFC822.SIZE ${raw.length} FLAGS (${mail.isSeen === true ? "\\Seen" : ""}) INTERNALDATE "${day}-${month}-${year} ${time} +0000"`;
    if (start === undefined) {
      socket.write(`* ${place + 1} FETCH (${about})\r\n`);
      continue;
    }
    const part = raw.subarray(Number(start), Number(start) + Number(length));
    socket.write(`* ${place + 1} FETCH (${about} BODY[]<${start}> {${part.length}}\r\n`);
    socket.write(part);
    socket.write(")\r\n");
  }
}

/** Created once: a large mail is fetched part by part. */
const made = new WeakMap<ServedMail, Buffer>();

function bytesOf(mail: ServedMail): Buffer {
  const bytes = made.get(mail) ?? (typeof mail.raw === "string" ? Buffer.from(mail.raw) : mail.raw);
  made.set(mail, bytes);
  return bytes;
}
