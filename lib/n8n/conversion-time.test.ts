// Large documents are converted in pieces, so that the event loop is not blocked.
import { describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { newFlow } from "#lib/contract/flows/flows.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { convertN8n } from "./convert.ts";
import { condition, manual, n8nDocument, n8nNode, set } from "./testing/workflows.ts";

describe("time", () => {
  const large: readonly (readonly [string, () => JsonObject])[] = [
    [
      "a chain of a thousand conditions",
      () =>
        n8nDocument(
          "x",
          [
            manual,
            ...Array.from({ length: 999 }, (_, index) =>
              n8nNode(`n${index}`, "if", { conditions: condition("={{ $json.a }}", "equals", "b") }, { version: 2 }),
            ),
          ],
          Array.from({ length: 998 }, (_, index) => `n${index} -> n${index + 1}`).concat("Start -> n0"),
        ),
    ],
    [
      "five thousand connections",
      () =>
        n8nDocument(
          "x",
          [manual, ...Array.from({ length: 100 }, (_, index) => set(`n${index}`, { a: "={{ $json.a }}" }))],
          Array.from(
            { length: 4_900 },
            (_, index) => `n${index % 70} -> n${(index % 70) + 1 + Math.floor(index / 175)}`,
          ).concat("Start -> n0"),
        ),
    ],
    [
      "loops in loops",
      () =>
        n8nDocument(
          "x",
          [
            manual,
            ...Array.from({ length: 60 }, (_, index) => n8nNode(`n${index}`, "splitInBatches", {}, { version: 3 })),
          ],
          Array.from({ length: 59 }, (_, index) => [`n${index}:1 -> n${index + 1}`, `n${index + 1} -> n${index}`])
            .flat()
            .concat("Start -> n0"),
        ),
    ],
    [
      "long expressions",
      () =>
        n8nDocument(
          "x",
          [
            manual,
            ...Array.from({ length: 40 }, (_, index) =>
              set(`n${index}`, {
                a: `={{ ${"$json.a + ".repeat(900)} 1 }}`,
                b: `={{ $json${".a".repeat(4_900)} }}`,
                c: `={{ ${"[".repeat(4_000)} }}`,
                d: `=${"{{ 1 }}".repeat(1_000)}`,
              }),
            ),
          ],
          ["Start -> n0", ...Array.from({ length: 39 }, (_, index) => `n${index} -> n${index + 1}`)],
        ),
    ],
    [
      "data that is passed on with more and more fields",
      () =>
        n8nDocument(
          "x",
          [
            manual,
            ...Array.from({ length: 150 }, (_, index) =>
              n8nNode(`n${index}`, "crypto", {
                action: "hash",
                type: "SHA256",
                value: `=${"{{ $json }}".repeat(20)}`,
                dataPropertyName: "x".repeat(5_000),
              }),
            ),
          ],
          ["Start -> n0", ...Array.from({ length: 149 }, (_, index) => `n${index} -> n${index + 1}`)],
        ),
    ],
    [
      "long code",
      () =>
        n8nDocument(
          "x",
          [
            manual,
            ...Array.from({ length: 20 }, (_, index) =>
              n8nNode(`n${index}`, "code", {
                jsCode: `${Array.from({ length: 4_000 }, (_, n) => `let a${n};`).join("")}return [];`,
              }),
            ),
          ],
          Array.from({ length: 20 }, (_, index) => `Start -> n${index}`),
        ),
    ],
  ];

  test.each(large)("%s do not block the event loop", async (_, make) => {
    const document = make();
    await convertN8n({ nodes: [manual], connections: {} });
    // Twice: what matters is a warmed-up server.
    await convertN8n(document, { pause: yieldTurn });
    const stall = await longestTurn(() => convertN8n(document, { pause: yieldTurn }));
    expect(stall).toBeLessThan(100);
    expect(newFlow.safeParse((await convertN8n(document)).flow).success).toBe(true);
  });
});
