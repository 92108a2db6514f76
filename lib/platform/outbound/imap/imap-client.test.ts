// Mail servers are untrusted: unsolicited data is not kept, and does not block the event loop.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ImapFixture, openImapServer } from "#e2e/support/imap-server.ts";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { createOutbound } from "../outbound.ts";

let server: ImapFixture;
const outbound = createOutbound({ allow: "127.0.0.1" });

beforeEach(async () => {
  server = await openImapServer();
  server.mails = [1, 2, 3].map((uid) => ({ uid, raw: `Subject: ${uid}\r\n\r\nHello\r\n` }));
});
afterEach(() => server.close());

async function readAll(): Promise<string> {
  const account = { host: "127.0.0.1", port: server.port, security: "none", username: "shop", password: "p" } as const;
  const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
  return await outbound.withMailbox(account, { path: "INBOX", isWritable: false }, limits, async (box) => {
    const mails = await box.list(1, box.exists());
    const parts = await Promise.all(mails.map(({ uid }) => box.read(uid, 0, 1_000)));
    return parts.join("");
  });
}

test("a mailbox is read", async () => {
  expect(await readAll()).toMatch(/^Subject: 1[\s\S]*Subject: 2[\s\S]*Subject: 3[\s\S]*$/);
});

const row = `* 1 FETCH (UID 1 BODY[]<0> {200000}\r\n${"x".repeat(200_000)})`;
test.each([
  ["of greetings", /^LOGIN|^AUTH/, "* OK"],
  ["of capabilities", /^CAPABILITY/, `* CAPABILITY ${"A ".repeat(900)}`],
  ["of mailboxes", /^LIST/, '* LIST () "/" a'],
  ["of counts", /^EXAMINE/, "* 1 EXISTS"],
  ["of mails", /FETCH/, "* 1 FETCH (UID 1)"],
  ["of contents", /FETCH.*BODY/, row],
  ["of nonsense", /FETCH/, "\u0000\u0001 "],
  ["of tags", /FETCH/, "A9999 OK"],
])("a flood %s ends the connection, and holds up nothing", async (_, command, line) => {
  const flood = Buffer.from(`${line}\r\n`.repeat(Math.ceil(500_000 / line.length)));
  server.fault = (received, socket) => {
    if (!command.test(received)) return false;
    const more = () => {
      while (!socket.destroyed && socket.write(flood));
    };
    socket.on("drain", more);
    more();
    return true;
  };
  const turn = await longestTurn(async () => {
    await expect(readAll()).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE" });
  });
  expect(turn).toBeLessThan(100);
});

test("a server's reason for closing the connection is reported", async () => {
  server.fault = (received, socket, tag) => {
    if (!/^EXAMINE/.test(received)) return false;
    socket.end(`${"* OK \r\n".repeat(2_000)}${tag} NO [INUSE] too many sessions\r\n`);
    return true;
  };
  await expect(readAll()).rejects.toThrow("too many sessions");
});
