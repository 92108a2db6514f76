import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The rules of WCAG 2, levels A and AA. */
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rules of them that axe leaves out unless they are asked for: a name holds the words that are seen (WCAG 2.5.3). */
const experimental = { "label-content-name-mismatch": { enabled: true } };

/** It alone depends on the colour scheme, and not on the width, and takes most of the time. */
const contrast = "color-contrast";

interface CheckOptions {
  /** axe's own rules too. */
  readonly bestPractices?: boolean;
  /** A selector of the part to look at. */
  readonly within?: string;
  /** Whether contrast is all that is checked, or is left out. */
  readonly colours?: "only" | "without";
}

/**
 * The rules that the page breaks, each with the elements that break it, seen from its top. Waits for transitions to end:
 * only final colours count.
 */
export async function violations(page: Page, options: CheckOptions = {}): Promise<string[]> {
  const { bestPractices = false, within = "html", colours } = options;
  await page.waitForFunction(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    return ending.every(({ playState }) => playState !== "running");
  });
  // A reload keeps the scroll position, where the bar at the top may cover half of a link.
  await page.evaluate(() => window.scrollTo(0, 0));
  // In this page alone: otherwise axe opens another to put together what it found in frames, and there are none.
  const axe = new AxeBuilder({ page }).include(within).setLegacyMode();
  axe.options({
    rules: { ...experimental, [contrast]: { enabled: colours !== "without" } },
    resultTypes: ["violations"],
  });
  if (colours === "only") axe.withRules(contrast);
  else axe.withTags(bestPractices ? [...levels, "best-practice"] : levels);
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** The same in the light scheme, and in the dark one what depends on the scheme. */
export async function violationsInBoth(page: Page, options: Omit<CheckOptions, "colours"> = {}): Promise<string[]> {
  await showIn(page, "dark");
  const dark = await violations(page, { ...options, colours: "only" });
  await showIn(page, "light");
  return [...dark.map((found) => `dark: ${found}`), ...(await violations(page, options))];
}

export async function showIn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
}
