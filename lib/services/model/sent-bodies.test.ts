import { describe, expect, test } from "vitest";
import { sendgrid } from "../sendgrid.ts";
import { BodyTooLarge, bracketed } from "./bracketed.ts";
import { mailText } from "./mail-text.ts";

describe("a mail's text", () => {
  const toOf = (to: string) => mailText({ to, subject: "S", text: "x" }).split("\r\nSubject:")[0];
  const encoded = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`;

  test.each([
    ["Ann <ann@example.com>, bob@example.com", "Ann <ann@example.com>, bob@example.com"],
    ["Jörg <j@example.com>", `${encoded("Jörg")} <j@example.com>`],
    [
      'ann@example.com, "Müller, \\"J\\"" <m@example.com>',
      `ann@example.com, ${encoded('Müller, "J"')} <m@example.com>`,
    ],
    ["jörg@example.com, <ü@example.com>", "jörg@example.com, <ü@example.com>"],
  ])("encodes the names of addresses only: %s", (to, header) => expect(toOf(to)).toBe(`To: ${header}`));

  test.each(['"\\', "ü", "ü<", '"', "é "])("takes any text: %j many times", (text) => {
    expect(mailText({ to: text.repeat(50_000), subject: "S", text: "x" })).toContain("Subject: S");
  });
});

describe("a form's names in brackets", () => {
  test("are as Stripe reads them", () => {
    expect(bracketed({ a: { b: 1 }, c: [2, { d: "e" }], f: null })).toEqual({
      ...{ "a[b]": 1, "c[0]": 2, "c[1][d]": "e", f: null },
    });
  });

  test("are refused if they take far more than the values", () => {
    let value: unknown = Array.from({ length: 100_000 }, () => 1);
    for (let level = 0; level < 400; level += 1) value = { a: value };
    expect(() => bracketed({ metadata: value })).toThrow(BodyTooLarge);
  });
});

describe("SendGrid's people", () => {
  const send = sendgrid.operations.find(({ id }) => id === "send-mail")?.send;
  const sent = (from: string) => {
    const body = send?.({ parameters: {}, body: { from, to: [], subject: "S", text: "x" } });
    return (body as { from: unknown } | undefined)?.from;
  };

  test.each([
    ["ann@example.com", { email: "ann@example.com" }],
    [" <ann@example.com> ", { email: "ann@example.com" }],
    ['"Ann, of Shop" < ann@example.com >', { email: "ann@example.com", name: "Ann, of Shop" }],
    ["a < b <ann@example.com>", { email: "ann@example.com", name: "a < b" }],
    ["no <address", { email: "no <address" }],
  ])("%s", (from, person) => expect(sent(from)).toEqual(person));

  test("are read in one pass, however many spaces there are", () => {
    expect(sent(`${" ".repeat(100_000)}x`)).toEqual({ email: "x" });
    expect(sent(`x${" ".repeat(100_000)}<y`)).toMatchObject({ email: expect.stringMatching(/^x .* <y$/) });
  });
});
