import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metadata } from "next";
import { GuidePage } from "#components/reference/guide-page.tsx";

export const metadata: Metadata = { title: "Advice" };

/** What each piece of advice means: `docs/advice.md`, which the editor's problems link to. */
export default async function AdvicePage() {
  return <GuidePage markdown={await readFile(join(process.cwd(), "docs/advice.md"), "utf8")} />;
}
