import { describe, expect, test } from "vitest";
import { hostForms, withoutParts } from "./mask-secret-forms.ts";
import { createMask } from "./mask-secrets.ts";

const secret = "eyJhbGciOi.JIUzI1NiJ9.sIgNaTuRe";
const hidden = (text: string) => withoutParts(text, [secret], "•••");

describe("a piece of a secret", () => {
  test("is masked wherever it was cut", () => {
    expect(hidden("cannot read property 'eyJhbGciOi.JI' of null")).toBe("cannot read property '•••' of null");
    expect(hidden("unexpected token: 'sIgNaTuRe'")).toBe("unexpected token: '•••'");
    expect(hidden(`${secret}…`)).toBe("•••…");
    expect(hidden("at the end JIUzI1NiJ9")).toBe("at the end •••");
  });

  test("is masked every time", () => {
    expect(hidden("eyJhbGciOi and eyJhbGciOi")).toBe("••• and •••");
    expect(hidden("eyJhbGciOieyJhbGciOi")).toBe("••••••");
  });

  test("of fewer than eight characters is kept, as is all other text", () => {
    for (const text of ["", "eyJhbGc", "nothing of it", "•••"]) expect(hidden(text)).toBe(text);
    expect(withoutParts("any text at all", [], "•••")).toBe("any text at all");
  });
});

test("is masked in addition to the whole secret and its other forms", () => {
  const mask = createMask([secret]);
  const base64 = Buffer.from(secret).toString("base64");
  expect(mask.parts(`${secret} ${base64} eyJhbGciOi`)).toBe("••• ••• •••");
  expect(createMask([]).parts("text")).toBe("text");
});

describe("a secret as a host", () => {
  test.each([
    ["Ab.Cd-Ef", ["ab.cd-ef"]],
    ["1234567", ["0.18.214.135"]],
    ["b\u00fccher", ["xn--bcher-kva"]],
    ["a/b", []],
  ])("%s", (secret, forms) => expect(hostForms(secret)).toEqual(forms));

  test("is looked for in one pass, however long it is", () => {
    for (let index = 0; index < 500; index += 1) hostForms(`${"a".repeat(16_383)}!`);
    expect(hostForms(`${"a".repeat(16_383)}!`)).toEqual([]);
  });
});
