import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** The rules of WCAG 2, levels A and AA. */
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rules of them that axe leaves out unless they are asked for: a name holds the words that are seen (WCAG 2.5.3). */
const experimental = { "label-content-name-mismatch": { enabled: true } };

/**
 * The rules that the page breaks, each with the elements that break it. Waits for transitions to end: only final colours
 * count. `bestPractices` adds axe's own rules; `within` is a selector of the part to look at, which costs less than the page.
 */
export async function violations(page: Page, { bestPractices = false, within = "html" } = {}): Promise<string[]> {
  await page.waitForFunction(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    return ending.every(({ playState }) => playState !== "running");
  });
  const { violations: found } = await new AxeBuilder({ page })
    .include(within)
    .options({ rules: experimental })
    .withTags(bestPractices ? [...levels, "best-practice"] : levels)
    .analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
