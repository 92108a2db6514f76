// Mails come from strangers: whatever they hold, reading one ends and breaks nothing else.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryOf } from "#lib/platform/processes/memory-of.ts";
import { convert } from "./convert.ts";
import { mailLimits } from "./mail.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mail-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

async function read(raw: string, isHeadOnly = false) {
  const path = join(folder, "mail");
  writeFileSync(path, raw, "latin1");
  const task = { mail: { path, isCut: false, isHeadOnly } };
  const converted = await convert(task, "owner", new AbortController().signal, mailLimits.timeMs);
  return "json" in converted ? JSON.parse(converted.json) : converted;
}

// In a worker thread, the replacements in these texts killed the whole process.
test("texts that exhaust memory kill only the process that reads them", async () => {
  const filled = (text: string) => text.repeat(30_000_000 / text.length);
  const text = `Content-Type: text/plain\r\n\r\n${filled("<&>http://a.b/ x ")}`;
  const html = `Content-Type: text/html\r\n\r\n${filled("<p>&amp;<b ")}`;
  const mail = `Subject: large\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${text}\r\n--b\r\n${html}\r\n--b--`;
  for (let times = 0; times < 2; times += 1) {
    expect(await read(mail)).toEqual({ problem: "it takes too much time or memory" });
    expect(await read(mail, true)).toMatchObject({ subject: "large", text: null });
  }
});

test.skipIf(process.platform !== "linux")(
  "a mail that decodes to much memory is read within a bound, or not at all",
  async () => {
    const path = join(folder, "mail");
    const line = `${"QUJD".repeat(19)}\r\n`;
    const part = `Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a\r\n\r\n`;
    writeFileSync(path, `Subject: a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${part}`);
    for (let times = 0; times < 8; times += 1) appendFileSync(path, line.repeat(100_000));
    let longest = 0;
    const watch = setInterval(() => {
      for (const pid of childrenOf(process.pid)) longest = Math.max(longest, memoryOf(pid));
    }, 10);
    const read = await convert({ mail: { path, isCut: false, isHeadOnly: false } }, "owner", never, mailLimits.timeMs);
    clearInterval(watch);
    expect("json" in read).toBe(true);
    expect(longest).toBeGreaterThan(100 * 1_048_576);
    expect(longest).toBeLessThan(600 * 1_048_576);
  },
);

test("a text keeps its first unprintable control characters", async () => {
  const { text } = await read(`Content-Type: text/plain\r\n\r\na\u0000\tb\r\n${"\u0001".repeat(20_000)}end`);
  expect(text.trim()).toBe(`a\u0000\tb\n${"\u0001".repeat(9_999)}end`);
});

test("truncated lines never split a character", async () => {
  const smiles = "=F0=9F=98=80".repeat(mailLimits.textCharacters / 2);
  const { text, subject } = await read(
    `Subject: a${"\u00f0\u009f\u0098\u0080".repeat(1_000)}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nx${smiles}`,
  );
  expect([subject.length, text.length]).toEqual([mailLimits.lineCharacters, mailLimits.textCharacters]);
  expect([subject, text].every((value) => value.isWellFormed())).toBe(true);
});
