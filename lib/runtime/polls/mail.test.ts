// Each mail starts one run, by its UID, whichever process polls and wherever one dies. No mail and no server blocks a
// poll for good.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ImapFixture, openImapServer } from "#e2e/support/imap-server.ts";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { newActor, type ProxiedDatabase, useProxiedDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createCredential, updateCredential } from "#lib/credentials/credentials.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { type MailPoll, mailPollOf } from "#lib/flows/polls/mail-trigger.ts";
import { pollState } from "#lib/flows/polls/stored-poll.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { env } from "#lib/platform/env.ts";
import type { PollClaim } from "#lib/polls/claims.ts";
import type { MailBody } from "#lib/polls/mail/read-mail.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { type MailProgress, pollMailbox } from "./poll-mailbox.ts";
import { pollDue } from "./polls.ts";

let own: ProxiedDatabase;
let server: ImapFixture;
let actor: Actor;
const password = "open-sesame-1m4p";

beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  own = await useProxiedDatabase();
});
beforeEach(async () => {
  actor = await newActor();
  server?.close();
  server = await openImapServer();
  await own.direct.query("DELETE FROM flow_poll");
});
afterAll(async () => {
  await outsideWorld().outbound.close();
  await own?.drop();
  server?.close();
});

async function watching(config: object = {}, data: object = {}): Promise<string> {
  const account = { host: "127.0.0.1", port: server.port, security: "none", username: "shop", password, ...data };
  await createCredential(actor, { name: "box", type: "imap", data: account } as never);
  const trigger = { type: "mail" as const, config: { credential: "box", everyMs: 30_000, ...config } };
  const given = { name: "Mails", status: "active" as const, tags: [], variables: {}, nodes: [], edges: [] };
  return (await createFlow(actor, { ...given, trigger })).id;
}
async function pollAll(): Promise<void> {
  await own.direct.query("UPDATE flow_poll SET next_at = now() - interval '1 second', lease_until = NULL");
  await pollDue();
}
async function startedWith(flowId: string): Promise<MailBody[]> {
  const text = "SELECT trigger FROM execution WHERE flow_id = $1 ORDER BY started_at, id";
  return (await own.direct.query<{ trigger: string }>(text, [flowId])).rows.map(
    ({ trigger }) => JSON.parse(trigger).body,
  );
}
const subjects = async (flowId: string) => (await startedWith(flowId)).map(({ subject }) => subject);
const subject = (text: string, more = "") => `From: Ann <ann@example.com>\r\nSubject: ${text}\r\n${more}\r\nHello\r\n`;
/** Mails in the mailbox, with these UIDs. */
const mails = (...uids: number[]) => {
  server.mails = uids.map((uid) => ({ uid, raw: subject(String(uid)) }));
};
const parts = (...list: string[]) =>
  ["Content-Type: multipart/mixed; boundary=b", "", ...list.map((part) => `--b\r\n${part}`), "--b--", ""].join("\r\n");
const attached = (name: string, content: string) =>
  `Content-Type: text/csv; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(
    content,
  )
    .toString("base64")
    .replace(/.{76}/g, "$&\r\n")}`;
const filesOf = async () => (await own.direct.query("SELECT id, name, size FROM file WHERE state = 'stored'")).rows;

describe("a mailbox", () => {
  // Proves triggers.mail
  test("starts nothing for what is there at first, then a run for each new mail, once", async () => {
    mails(4, 7);
    const id = await watching();
    await pollAll();
    mails(4, 7, 9, 12);
    await pollAll();
    await pollAll();
    expect(await subjects(id)).toEqual(["9", "12"]);
    const { rows } = await own.direct.query("SELECT trigger_type, source, status FROM execution WHERE flow_id = $1", [
      id,
    ]);
    expect(rows[0]).toEqual({ trigger_type: "mail", source: "mail", status: "pending" });
    expect(await pollState(id)).toMatchObject({ items: 0, failures: 0, error: null });
    expect(server.commands.some((line) => /STORE|SELECT/.test(line))).toBe(false);
    expect((await own.direct.query("SELECT FROM polled_item WHERE flow_id = $1", [id])).rowCount).toBe(0);
  });

  test("gives a mail's parts, and its attachments as files", async () => {
    const id = await watching({ fromNow: false });
    const head = [
      "From: =?utf-8?q?J=C3=B6rg?= <joerg@example.com>",
      "To: a@example.com, Bob <b@example.com>",
      "Cc: Team: c@example.com, d@example.com;",
      "Date: Mon, 23 Nov 2026 08:00:00 +0100",
      "Message-ID: <m1@example.com>",
      "Subject: =?iso-8859-1?q?Rechnung_f=FCr_Mai?=",
    ].join("\r\n");
    const alternatives = `Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\nContent-Type: text/plain\r\n\r\nHello\r\n--c\r\nContent-Type: text/html\r\n\r\n<b>Hello</b>\r\n--c--`;
    server.mails = [{ uid: 1, raw: `${head}\r\n${parts(alternatives, attached("ü.csv", "a;b"))}` }];
    await pollAll();
    const [body] = await startedWith(id);
    expect(body).toMatchObject({
      ...{ uid: 1, subject: "Rechnung für Mai", messageId: "<m1@example.com>", date: "2026-11-23T07:00:00.000Z" },
      from: { name: "Jörg", address: "joerg@example.com" },
      to: [
        { name: "", address: "a@example.com" },
        { name: "Bob", address: "b@example.com" },
      ],
      cc: [
        { name: "", address: "c@example.com" },
        { name: "", address: "d@example.com" },
      ],
      ...{ text: "Hello\n", html: "<b>Hello</b>\n", receivedAt: "2023-11-14T22:13:20.000Z", leftOut: [] },
      attachments: [{ name: "ü.csv", contentType: "text/csv", size: 3, contentId: null }],
    });
    const { rows } = await own.direct.query("SELECT kind, file_id FROM file_reference");
    expect(rows).toContainEqual({ kind: "run", file_id: body?.attachments[0]?.file });
  });

  test("marks its mails as read if configured, even if it is killed in between", async () => {
    const id = await watching({ fromNow: false, markSeen: true });
    mails(1, 2);
    // The connection is lost once the runs are stored.
    server.fault = (line, socket) => /STORE/.test(line) && Boolean(socket.destroy());
    await pollAll();
    expect(await subjects(id)).toEqual(["1", "2"]);
    server.fault = () => false;
    await pollAll();
    expect(await subjects(id)).toEqual(["1", "2"]);
    expect(server.mails.map(({ isSeen }) => isSeen)).toEqual([true, true]);
    server.fault = (line, socket, tag) => /STORE/.test(line) && socket.write(`${tag} NO read-only\r\n`);
    mails(1, 2, 3);
    await pollAll();
    expect(await subjects(id)).toEqual(["1", "2", "3"]);
    expect(await pollState(id)).toMatchObject({ failures: 0, error: expect.stringContaining("marked as read") });
  });

  test("with 10,000 new mails is read in bounded polls that follow each other at once", async () => {
    const id = await watching({ fromNow: false });
    mails(...Array.from({ length: 10_000 }, (_, n) => 3 * n + 5));
    await own.direct.query("UPDATE flow_poll SET next_at = now() - interval '1 second'");
    expect(await longestTurn(() => pollDue(0))).toBeLessThan(100);
    const { rows } = await own.direct.query("SELECT next_at <= now() AS due, validators FROM flow_poll");
    expect(rows[0]).toMatchObject({ due: true });
    expect(await subjects(id)).toHaveLength(200);
    await own.direct.query("UPDATE flow_poll SET validators = jsonb_set(validators::jsonb, '{uid}', '29000')::text");
    await pollAll();
    const after = (await startedWith(id)).slice(200).map(({ uid }) => uid);
    expect(after).toEqual(
      Array.from({ length: 10_000 }, (_, n) => 3 * n + 5)
        .filter((uid) => uid > 29_000)
        .slice(0, after.length),
    );
    expect(after.at(-1)).toBe(30_002);
  });

  test("that was recreated starts runs for mails received since, and for none before", async () => {
    const at = (minutes: number) => new Date(1_700_000_000_000 + minutes * 60_000);
    server.mails = [1, 2].map((uid) => ({ uid, raw: subject(`old ${uid}`), receivedAt: at(uid) }));
    const id = await watching();
    await pollAll();
    server.uidValidity = 2;
    server.mails = [1, 2, 3].map((uid) => ({ uid, raw: subject(`new ${uid}`), receivedAt: at(uid) }));
    await pollAll();
    await pollAll();
    expect(await subjects(id)).toEqual(["new 3"]);
  });

  // Many mailboxes have the same UIDVALIDITY: 1.
  test("of another account under the same credential is another mailbox", async () => {
    const at = (minutes: number) => new Date(1_700_000_000_000 + minutes * 60_000);
    server.mails = [{ uid: 5_000, raw: subject("first's"), receivedAt: at(1) }];
    const id = await watching();
    await pollAll();
    const { rows } = await own.direct.query("SELECT id FROM credential WHERE workspace_id = $1", [actor.workspaceId]);
    const data = { host: "127.0.0.1", port: server.port, security: "none", username: "other", password };
    await updateCredential(actor, rows[0].id, { data } as never);
    server.mails = [1, 2].map((uid) => ({ uid, raw: subject(`second's ${uid}`), receivedAt: at(uid) }));
    await pollAll();
    await pollAll();
    expect(await subjects(id)).toEqual(["second's 2"]);
  });

  test("keeps its position when the flow changes, and another mailbox starts over", async () => {
    mails(1);
    const id = await watching();
    await pollAll();
    const changed = (config: object) =>
      updateFlow(actor, id, { trigger: { type: "mail", config: { credential: "box", ...config } } } as never, null);
    await changed({ everyMs: 40_000 });
    mails(1, 2);
    await pollAll();
    expect(await subjects(id)).toEqual(["2"]);
    await changed({ mailbox: "Other" });
    await pollAll();
    expect(await subjects(id)).toEqual(["2"]);
  });
});

describe("each mail has one run", () => {
  test("with several processes at once", async () => {
    const id = await watching({ fromNow: false });
    mails(...Array.from({ length: 60 }, (_, n) => n + 1));
    await Promise.all(Array.from({ length: 4 }, () => pollDue()));
    await pollAll();
    expect((await startedWith(id)).map(({ uid }) => uid).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, n) => n + 1),
    );
  });

  test("whichever statement the process dies at, and leaves no stray files", async () => {
    const raws = [1, 2].map((uid) => ({ uid, raw: `Subject: ${uid}\r\n${parts(attached("a.csv", "a;b"))}` }));
    server.mails = raws;
    await watching({ fromNow: false, markSeen: true });
    own.proxy.arm(0);
    await pollDue();
    const statements = own.proxy.disarm();
    expect(statements).toBeGreaterThan(5);
    for (let index = 1; index <= statements; index += 1) {
      for (const side of ["before", "after"] as const) {
        actor = await newActor();
        await own.direct.query("DELETE FROM flow_poll");
        server.mails = raws.map((mail) => ({ ...mail }));
        const id = await watching({ fromNow: false, markSeen: true });
        own.proxy.arm(index, side);
        await pollDue().catch(() => {});
        own.proxy.disarm();
        await pollAll();
        const started = await startedWith(id);
        expect([index, side, started.map(({ uid }) => uid)]).toEqual([index, side, [1, 2]]);
        expect(server.mails.every(({ isSeen }) => isSeen)).toBe(true);
        const files = started.flatMap(({ attachments }) => attachments.map(({ file }) => file));
        const { rows } = await own.direct.query("SELECT id FROM file WHERE id = ANY($1) AND state = 'stored'", [files]);
        expect([index, side, rows.length]).toEqual([index, side, 2]);
      }
    }
  }, 240_000);
});

describe("a mail", () => {
  const body = async (raw: string | Buffer) => {
    server.mails = [{ uid: 1, raw }];
    const id = await watching({ fromNow: false });
    await pollAll();
    expect(await pollState(id)).toMatchObject({ failures: 0, error: null });
    const [started] = await startedWith(id);
    if (started === undefined) throw new Error("no run was started");
    return started;
  };

  test("keeps U+0000, and never splits a surrogate pair", async () => {
    const { subject: title, text } = await body("Subject: a\u0000b =?utf-16le?b?ANg=?=\r\n\r\nx\u0000y\r\n");
    expect(title).toContain("a\u0000b");
    expect([title, text].every((part) => part?.isWellFormed())).toBe(true);
    expect(text).toBe("x\u0000y\n");
  });

  test("that the server does not return starts a run that says so", async () => {
    server.fault = (line, socket, tag) =>
      /FETCH.*BODY/.test(line) && socket.write(`* 1 FETCH (UID 1 BODY[]<0> "")\r\n${tag} OK done\r\n`);
    const { uid, leftOut } = await body("Subject: a\r\n\r\nHello");
    expect([uid, leftOut]).toMatchObject([1, [{ name: "mail", reason: expect.stringContaining("gives nothing") }]]);
  });

  test.each([
    ["nothing", "\r\n"],
    ["no header", "\r\n\r\nHello"],
    ["bytes", Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 7919) % 256))],
    ["a boundary that never ends", `Subject: s\r\n${parts("x").slice(0, -6)}`],
    ["a charset of nobody's", "Content-Type: text/plain; charset=klingon\r\n\r\nHello"],
    ["base64 that is none", "Content-Transfer-Encoding: base64\r\n\r\n%%%%"],
    ["a date that is none", "Date: yesterday\r\n\r\nHello"],
    ["addresses without end", `To: ${"a@b.example, ".repeat(10_000)}\r\n\r\nHello`],
  ])("of %s starts a run", async (_, raw) => {
    expect(await body(raw)).toMatchObject({ uid: 1, date: null });
  });

  test("with a bomb of nested parts starts a run with its header, and says why", async () => {
    const nested = Array.from(
      { length: 5_000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    ).join("");
    const { subject: title, leftOut, text } = await body(`Subject: bomb\r\n${nested}`);
    expect([title, text]).toEqual(["bomb", null]);
    expect(leftOut).toMatchObject([{ name: "mail", reason: expect.stringContaining("nested too deeply") }]);
  });

  test("with a header of megabytes starts a run", async () => {
    const { subject: title, leftOut } = await body(
      `Subject: long\r\n${`X-A: ${"x".repeat(900)}\r\n`.repeat(3_000)}\r\nHi`,
    );
    expect(title).toBe("long");
    expect(leftOut).toHaveLength(1);
  });

  test("with many attachments has the first hundred", async () => {
    const list = Array.from({ length: 130 }, (_, n) => attached(`${n}.csv`, "a"));
    const { attachments, leftOut } = await body(parts(...list));
    expect(attachments).toHaveLength(100);
    expect(leftOut).toHaveLength(20);
  });

  test("of 40 MB is stored as a file, and blocks nothing", async () => {
    const content = "0123456789abcde\n".repeat(1_900_000);
    // Encoded in advance: the mail server shares this thread.
    const raw = Buffer.from(`Subject: large\r\n${parts(attached("large.csv", content))}`);
    expect(raw.length).toBeGreaterThan(40_000_000);
    server.mails = [{ uid: 1, raw }];
    const id = await watching({ fromNow: false });
    // A process that a test killed may have left a file, which is removed later.
    const folder = join(env().dataDir, "files/incoming");
    const incoming = () => (existsSync(folder) ? readdirSync(folder) : []);
    const before = incoming();
    expect(await longestTurn(pollAll)).toBeLessThan(100);
    expect((await startedWith(id))[0]).toMatchObject({
      subject: "large",
      attachments: [{ name: "large.csv", size: content.length }],
      leftOut: [],
    });
    expect(incoming()).toEqual(before);
  });

  test("with two texts of a million characters each, whatever they contain, blocks nothing", async () => {
    for (const filling of ["\u0001", '"', "\u00ff"]) {
      const body = filling.repeat(1_000_000);
      const part = (type: string) =>
        `Content-Type: ${type}; charset=latin1\r\nContent-Transfer-Encoding: binary\r\n\r\n${body}`;
      const both = `--b\r\n${part("text/plain")}\r\n--b\r\n${part("text/html")}\r\n--b--`;
      const raw = Buffer.from(`Subject: x\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n${both}`, "latin1");
      server.mails.push({ uid: server.mails.length + 1, raw });
    }
    await watching({ fromNow: false });
    expect(await longestTurn(pollAll)).toBeLessThan(100);
  });

  test("above the limit starts a run that says what was left out", async () => {
    const content = "0123456789abcde\n".repeat(3_500_000);
    const {
      subject: title,
      attachments,
      leftOut,
    } = await body(`Subject: too large\r\n${parts(attached("small.csv", "a"), attached("huge.csv", content))}`);
    expect([title, attachments.map(({ name }) => name)]).toEqual(["too large", ["small.csv"]]);
    expect(leftOut).toMatchObject([{ name: "huge.csv", reason: expect.stringContaining("too large") }]);
  });

  test("whose attachment does not fit in the workspace says so", async () => {
    await own.direct.query("INSERT INTO file_usage (workspace_id, bytes) VALUES ($1, $2)", [
      actor.workspaceId,
      env().files.workspaceBytes - 2,
    ]);
    const { attachments, leftOut } = await body(parts(attached("a.csv", "a;b"), attached("b.csv", "b")));
    expect(attachments.map(({ name }) => name)).toEqual(["b.csv"]);
    expect(leftOut).toMatchObject([{ name: "a.csv", size: 3, reason: expect.stringContaining("no room") }]);
  });
});

describe("a failed poll is reported, starts nothing and loses nothing", () => {
  const answers = (pattern: RegExp, answer: string) => () => {
    server.fault = (line, socket, tag) => pattern.test(line) && socket.write(`${answer.replace("TAG", tag)}\r\n`);
  };
  test.each<[string, () => void, string]>([
    [
      "a password that is wrong",
      answers(/^(LOGIN|AUTHENTICATE)/, `TAG NO [AUTHENTICATIONFAILED] not ${password}`),
      "did not accept",
    ],
    ["a mailbox that is gone", answers(/^EXAMINE/, "TAG NO no such mailbox"), "refused to open the mailbox"],
    ["a line without end", answers(/^EXAMINE/, `* ${"x".repeat(400_000)}`), "too large"],
    ["a literal without end", answers(/FETCH/, "* 1 FETCH (UID 1 BODY[] {900000000}"), "too large"],
    ["nonsense", answers(/FETCH/, "* 1 FETCH (((((\r\nTAG BAD what"), "refused what it was asked for"],
  ])("for %s", async (_, fail, message) => {
    mails(1);
    const id = await watching({ fromNow: false });
    fail();
    await pollAll();
    const { error = "" } = (await pollState(id)) ?? {};
    expect(error).toContain(message);
    expect(error).not.toContain(password);
    expect(await startedWith(id)).toEqual([]);
    server.fault = () => false;
    await pollAll();
    expect(await subjects(id)).toEqual(["1"]);
  });

  test("for a server that is down or not allowed", async () => {
    const id = await watching({ fromNow: false });
    server.close();
    await pollAll();
    expect((await pollState(id))?.error).toContain("connection was refused");
    actor = await newActor();
    const other = await watching({}, { host: "10.0.0.1", port: 993 });
    await pollAll();
    expect((await pollState(other))?.error).toContain("Blocked address");
  });

  test("and a mail that the server never returns is skipped in the end", async () => {
    mails(1, 2, 3);
    const id = await watching({ fromNow: false });
    server.fault = (line, socket) => /FETCH 2 .*BODY/.test(line) && Boolean(socket.destroy());
    for (let n = 0; n < 4; n += 1) await pollAll();
    const started = await startedWith(id);
    expect(started.map(({ uid, subject: title }) => [uid, title])).toEqual([
      [1, "1"],
      [2, null],
      [3, "3"],
    ]);
    expect(started[1]?.leftOut).toMatchObject([{ reason: expect.stringContaining("did not give it") }]);
    expect(await pollState(id)).toMatchObject({ failures: 0, error: null });
  });

  test("and a mail that arrives too slowly does not block those before it nor, in the end, those after it", async () => {
    mails(1, 2, 3);
    const id = await watching({ fromNow: false, markSeen: true });
    // The server keeps sending untagged responses, as in a long search, so that the connection is not idle.
    server.fault = (line, socket) => {
      if (!/FETCH 2 .*BODY/.test(line)) return false;
      const timer = setInterval(() => socket.write("* OK Still here\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
      return true;
    };
    const row =
      "SELECT f.id, f.workspace_id, f.name, f.version, f.settings, p.* FROM flow_poll p JOIN flow f ON f.id = p.flow_id";
    const progress: MailProgress = { cursor: null, mails: 0, isMore: false, problem: null };
    const poll = mailPollOf({ credential: "box", fromNow: false, markSeen: true }) as MailPoll;
    for (let times = 1; times <= 3; times += 1) {
      const { rows } = await own.direct.query(row);
      const claim: PollClaim = {
        ...rows[0],
        workspaceId: actor.workspaceId,
        isBegun: true,
        validators: progress.cursor && JSON.stringify(progress.cursor),
      };
      const limits = { timeoutMs: 700, signal: new AbortController().signal };
      await expect(pollMailbox(claim, poll, progress, limits)).rejects.toMatchObject({ code: "TIMEOUT" });
      expect(progress.cursor?.stuck).toEqual({ uid: 2, times });
      expect(await subjects(id)).toEqual(["1"]);
    }
    await own.direct.query("UPDATE flow_poll SET validators = $1", [JSON.stringify(progress.cursor)]);
    await pollAll();
    expect(await subjects(id)).toEqual(["1", null, "3"]);
    expect(server.mails.map(({ isSeen }) => isSeen)).toEqual([true, true, true]);
  });

  test("and a missing last mail does not make all others new", async () => {
    mails(1, 2);
    const id = await watching();
    server.fault = (line, socket, tag) => /FETCH/.test(line) && socket.write(`${tag} OK done\r\n`);
    await pollAll();
    expect((await pollState(id))?.error).toContain("changed while");
    server.fault = () => false;
    await pollAll();
    mails(1, 2, 3);
    await pollAll();
    expect(await subjects(id)).toEqual(["3"]);
  });

  test("for a full queue: mails that are not started take no space", async () => {
    const id = await watching({ fromNow: false });
    server.mails = [1, 2].map((uid) => ({ uid, raw: `Subject: ${uid}\r\n${parts(attached("a.csv", "a;b"))}` }));
    const before = (await filesOf()).length;
    process.env.QUEUE_MAX = "1";
    await pollAll();
    const started = await startedWith(id);
    expect((await filesOf()).length - before).toBe(started.flatMap(({ attachments }) => attachments).length);
    delete process.env.QUEUE_MAX;
  });
});

test.each([
  { credential: undefined },
  { credential: "none" },
  { credential: "a\u0000" },
  { mailbox: "" },
  { mailbox: "a\r\nb" },
  { everyMs: 1 },
  { markSeen: 1 },
])("a flow is not active with %j", async (config) => {
  const [field] = Object.keys(config);
  const details = { [`trigger.config.${field}`]: expect.any(String) };
  await expect(watching(config)).rejects.toMatchObject({ details });
});

test("a flow is not active with a credential of another type", async () => {
  await createCredential(actor, { name: "key", type: "bearer", data: { token: "very-secret-token" } });
  await expect(watching({ credential: "key" })).rejects.toMatchObject({
    details: { "trigger.config.credential": 'the credential "key" is of type bearer, not imap' },
  });
});
