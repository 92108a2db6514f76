// A mail is a stranger's: whatever it holds, reading it ends, and takes nothing else along.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { convert } from "./convert.ts";
import { mailLimits } from "./mail.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mail-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read(raw: string, isHeadOnly = false) {
  const path = join(folder, "mail");
  writeFileSync(path, raw, "latin1");
  const task = { mail: { path, isCut: false, isHeadOnly } };
  const converted = await convert(task, "owner", new AbortController().signal, mailLimits.timeMs);
  return "json" in converted ? JSON.parse(converted.json) : converted;
}

// In a thread, the replacements in these texts ended the whole process.
test("texts that no memory is enough for end the process that reads them, and no other", async () => {
  const filled = (text: string) => text.repeat(30_000_000 / text.length);
  const text = `Content-Type: text/plain\r\n\r\n${filled("<&>http://a.b/ x ")}`;
  const html = `Content-Type: text/html\r\n\r\n${filled("<p>&amp;<b ")}`;
  const mail = `Subject: large\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${text}\r\n--b\r\n${html}\r\n--b--`;
  for (let times = 0; times < 2; times += 1) {
    expect(await read(mail)).toEqual({ problem: "it takes too much time or memory" });
    expect(await read(mail, true)).toMatchObject({ subject: "large", text: null });
  }
});

test("lines that are cut have no half of a character", async () => {
  const smiles = "=F0=9F=98=80".repeat(mailLimits.textCharacters / 2);
  const { text, subject } = await read(
    `Subject: a${"\u00f0\u009f\u0098\u0080".repeat(1_000)}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nx${smiles}`,
  );
  expect([subject.length, text.length]).toEqual([mailLimits.lineCharacters, mailLimits.textCharacters]);
  expect([subject, text].every((one) => one.isWellFormed())).toBe(true);
});
