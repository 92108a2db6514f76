import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { adviceCodes } from "#lib/contract/flows/checks.ts";
import { readGuide } from "./guide-page.tsx";

test("a guide is parsed block by block", () => {
  const blocks = readGuide(
    "# Advice\n\nOne\nline ([other](other.md)).\n\n## `NO_RETRY` (info)\n\nBad:\n\n```json\n{\n\n}\n```\n\nGood.",
  );
  expect(blocks).toEqual([
    { kind: "title", text: "Advice" },
    { kind: "paragraph", text: "One line (other)." },
    { kind: "heading", text: "`NO_RETRY` (info)", id: "NO_RETRY" },
    { kind: "paragraph", text: "Bad:" },
    { kind: "code", text: "{\n\n}" },
    { kind: "paragraph", text: "Good." },
  ]);
});

test("every piece of advice has its section, so that the editor's links lead somewhere", () => {
  const headings = readGuide(readFileSync("docs/advice.md", "utf8")).flatMap((block) =>
    block.kind === "heading" ? [block.id] : [],
  );
  expect(headings).toEqual(expect.arrayContaining([...adviceCodes]));
});
