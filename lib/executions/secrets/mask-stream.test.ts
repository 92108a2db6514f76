import { describe, expect, test } from "vitest";
import { createMask } from "./mask-secrets.ts";

const secret = `pä:s/s w"o+r\\d&'é?#%\n1`;
const long = `-----BEGIN KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".repeat(20)}`;
const mask = createMask([secret, "sk_live_4242", long]);

/** Splits at the same places each time: a test that fails does so again. */
function* split(bytes: Buffer, seed: number, most: number): Generator<Uint8Array> {
  let state = seed;
  for (let start = 0; start < bytes.length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const end = start + 1 + ((state >>> 8) % most);
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

async function masked(by: typeof mask, chunks: Iterable<Uint8Array>, charset?: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of by.bytes(each(chunks), charset)) parts.push(part);
  return Buffer.concat(parts);
}

describe("a text that arrives in chunks", () => {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), long, "sk_live_4242"];
  const encoded = forms.flatMap((form) => [btoa(encodeURIComponent(form)), Buffer.from(form).toString("hex")]);
  const filler = "Ünïcödé, and ordinary words between. ".repeat(40);
  const text = [...forms, Buffer.from(secret).toString("base64"), ...encoded].join(filler);

  test.each([1, 7, 100, 5_000, 100_000])("of up to %d bytes is masked like the whole", async (most) => {
    const whole = mask.text(text);
    expect(whole).not.toContain("sk_live");
    for (let seed = 1; seed < 9; seed += 1) {
      expect((await masked(mask, split(Buffer.from(text), seed, most))).toString()).toBe(whole);
    }
  });

  test.each([
    ["utf-16le", "\ufeff", undefined],
    ["utf-16be", "\ufeff", "utf-8"],
    ["utf-16le", "", "UTF-16"],
    ["utf-16be", "", "utf-16be"],
  ])("in %s is masked in it, with the mark %j and the charset %s", async (encoding, start, charset) => {
    const bytes = Buffer.from(`${start}${text}`, "utf16le");
    const given = encoding === "utf-16be" ? bytes.swap16() : bytes;
    for (const most of [1, 700, 100_000]) {
      const shown = new TextDecoder(encoding).decode(await masked(mask, split(given, 3, most), charset));
      for (const form of [secret, "sk_live_4242", long, encodeURIComponent(secret)]) expect(shown).not.toContain(form);
      expect(shown.match(/Ünïcödé, and ordinary words between\. /g)).toHaveLength(text.split("Ünïcödé").length - 1);
      expect(shown).toContain("•••");
    }
  });

  test("keeps bytes that are no text, and nothing of an empty one", async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256));
    expect((await masked(mask, split(bytes, 1, 3_000))).equals(bytes)).toBe(true);
    expect(await masked(mask, [])).toHaveLength(0);
  });

  test("shows nothing of secrets that follow each other without an end, whatever their number", async () => {
    const repeated = createMask(["abab"]);
    for (let seed = 1; seed < 9; seed += 1) {
      const shown = (await masked(repeated, split(Buffer.from(`x${"ab".repeat(5_000)}y`), seed, 300))).toString();
      expect(shown).toBe("x•••y");
    }
    const adjacent = createMask(["secret-1"]);
    const shown = (await masked(adjacent, split(Buffer.from("secret-1".repeat(1_000)), 1, 50))).toString();
    expect(shown).toBe("•••".repeat(1_000));
  });
});
