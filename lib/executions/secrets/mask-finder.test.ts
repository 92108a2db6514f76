import { describe, expect, test } from "vitest";
import { cpuTime } from "#e2e/support/longest-turn.ts";
import { maskSlowly } from "#lib/executions/testing/mask-slowly.ts";
import { secretForms } from "./mask-secret-forms.ts";
import { createMask, prepareMask } from "./mask-secrets.ts";

/** Numbers from 0 to 1, the same each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function texts(random: () => number) {
  const below = (max: number) => Math.floor(random() * max);
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  const alphabets = ["abcdefghijklmnopqrstuvwxyz0123456789", `aä"\\/+ %&=é#?'\n-_.~😀`];
  const word = (min: number, range: number) => {
    const alphabet = [...pick(alphabets)];
    return Array.from({ length: min + below(range) }, () => pick(alphabet)).join("");
  };
  return { below, pick, word };
}

describe("compared with the naive implementation", () => {
  test("masks the same, in any form and any context", () => {
    const random = randomFrom(7);
    const { below, pick, word } = texts(random);
    for (let round = 0; round < 400; round += 1) {
      const secrets = Array.from({ length: 1 + below(6) }, () => `x${word(6, pick([4, 40, 300]))}y`);
      const forms = secrets.flatMap(secretForms);
      const parts = Array.from(
        { length: 1 + below(6) },
        () => `${word(0, 12)} ${pick(forms).text}${pick(["", " ", "="])}`,
      );
      const text = `${parts.join(" ")} ${word(0, 40)}`;
      expect(createMask(secrets).text(text), JSON.stringify([secrets, text])).toBe(maskSlowly(secrets, text));
    }
  });

  test("masks every part that the naive one masks where secrets overlap", () => {
    const random = randomFrom(11);
    const { below, word } = texts(random);
    for (let round = 0; round < 400; round += 1) {
      const letters = () => Array.from({ length: 4 + below(5) }, () => "ab"[below(2)]).join("");
      const secrets = Array.from({ length: 1 + below(4) }, letters);
      const text = Array.from({ length: 30 }, () => "abbac"[below(5)]).join("") + word(0, 5);
      const masked = createMask(secrets).text(text);
      const slowly = maskSlowly(secrets, text);
      for (const secret of secrets) expect(masked, JSON.stringify([secrets, text])).not.toContain(secret);
      expect(masked.replaceAll("•", "").length).toBeLessThanOrEqual(slowly.replaceAll("•", "").length);
    }
  });

  test("masks the same when a long text is searched as JSON first", async () => {
    const { below, pick, word } = texts(randomFrom(5));
    for (let round = 0; round < 60; round += 1) {
      const secrets = Array.from({ length: 3 }, () => `x${word(6, 20)}y`);
      const mask = await prepareMask(secrets);
      const value = {
        filler: "z".repeat(12_000),
        [word(3, 9)]: [word(0, 9) + pick(["", ...secrets.flatMap(secretForms).map((form) => form.text)])],
      };
      const output = await mask.output({ value, json: JSON.stringify(value) });
      expect(output.value).toEqual(mask.value(value));
      expect(output.json).toBe(JSON.stringify(output.value));
      expect(below(1)).toBe(0);
    }
  });
});

describe("a long secret", () => {
  const secret = Array.from({ length: 3_000 }, (_, index) => String.fromCharCode(97 + ((index * index) % 26))).join("");
  const mask = createMask([secret]);

  test("is masked completely, in every form", () => {
    for (const { text } of secretForms(secret)) expect(mask.text(`(${text})`)).toMatch(/^\(•••=*\)$/);
  });

  test("that is cut off or diverges is masked as far as it matches", () => {
    expect(mask.text(`${secret.slice(0, 400)}…`)).toBe("•••…");
    expect(mask.text(`${secret.slice(0, 400)}!${secret.slice(401)}`)).toMatch(/^•••!/);
  });
});

describe("cost", () => {
  const credentials = Array.from(
    { length: 500 },
    (_, index) => `shared-beginning-of-all-${index}-${"k".repeat(index % 40)}`,
  );

  test("does not grow with the number of secrets", () => {
    const strings = Array.from({ length: 15_000 }, (_, index) => `text number ${index}`);
    const mask = createMask(credentials);
    mask.value(strings);
    let masked: unknown;
    const work = () => {
      masked = mask.value(strings);
    };
    // Measured: 6 ms. Searching for one form after the other takes seconds.
    expect(cpuTime(work)).toBeLessThan(150);
    expect(masked).toBe(strings);
  });

  test("is bounded for text that is nearly a secret everywhere", () => {
    const periodic = createMask([`${"a".repeat(10_000)}b`, ...credentials]);
    const texts = ["a".repeat(200_000), "shared-beginning-of-all-".repeat(8_000)];
    expect(cpuTime(() => texts.map((text) => periodic.text(text)))).toBeLessThan(1_000);
  });
});
