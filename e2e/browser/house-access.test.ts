import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, type Preparation, test } from "./signed-in.ts";

/** The rules of WCAG 2, levels A and AA. */
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rules of them that axe leaves out unless they are asked for: a name holds the words that are seen (WCAG 2.5.3). */
const experimental = { "label-content-name-mismatch": { enabled: true } };

/** Every page outside the editor with content, and what is visible then. */
async function filledPages(preparation: Preparation): Promise<readonly (readonly [path: string, shown: string])[]> {
  const failing = { id: "work", type: "transform", name: "Work", config: { transform: "$trigger.body.a.b" } };
  const flow = await preparation.createFlow({
    name: "Reached by everybody",
    tags: ["shared"],
    trigger: { type: "manual" },
    nodes: [{ id: "first", type: "log", name: "First", config: { message: "hello" } }, failing],
    edges: [{ source: "first", target: "work" }],
  });
  const run = await preparation.run(flow, {});
  await preparation.run(flow, { a: { b: 1 } });
  const hook = await preparation.call("POST", "/webhooks", {
    url: "http://127.0.0.1:9999/nobody-there",
    events: ["execution.failed"],
  });
  await preparation.call("POST", `/webhooks/${hook.id}/test`, {});
  await preparation.call("POST", "/alert-rules", { name: "Fails", kind: "failures_in_row", flowId: flow });
  const name = `reached_${Date.now()}`;
  await preparation.call("POST", "/credentials", { name, type: "secret", data: { value: "a secret" } });
  await preparation.call("POST", "/api-keys", { name });
  const columns = [
    { name: "email", type: "text", unique: true, required: true },
    { name: "orders", type: "number" },
    { name: "since", type: "time" },
    { name: "more", type: "json" },
  ];
  const table = await preparation.call("POST", "/tables", { name, columns });
  const row = { email: "ada@example.com", orders: 3, since: "2026-01-31", more: { size: [1, 2] } };
  await preparation.call("POST", `/tables/${table.id}/rows`, row);
  const filter = encodeURIComponent('{"email": {"contains": "ada"}}');
  return [
    ["/", "Most common errors"],
    ["/flows?search=Reached", "Reached by everybody"],
    [`/runs?flow=${flow}`, "Reached by everybody"],
    ["/runs?search=nothing-has-this-in-it", "No run matches"],
    [`/runs/${run}`, "Work failed"],
    [`/runs/${run}?node=work`, "cannot read"],
    [`/runs/${run}/compare`, "differences"],
    ["/alerts", "Fails"],
    ["/webhooks", "nobody-there"],
    [`/webhooks/${hook.id}`, "execution.failed"],
    ["/credentials", name],
    ["/tables", name],
    [`/tables/${table.id}`, "ada@example.com"],
    [`/tables/${table.id}?where=${filter}`, "ada@example.com"],
    ["/tables/table_nothing", "could not be loaded"],
    ["/settings/api-keys", name],
    ["/settings/members", "Second factor"],
    ["/settings/account", "Password"],
    ["/settings/workspace", "Time zone"],
    ["/settings/audit-log", "Session started"],
    ["/runs/exec_nothing", "could not be loaded"],
    ["/nowhere", "Page not found"],
  ];
}

/** Checks final colours: those in transition between schemes do not count. */
async function expectReachable(page: Page, what: string): Promise<void> {
  await expect(async () => {
    const { violations } = await new AxeBuilder({ page }).options({ rules: experimental }).withTags(levels).analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
    );
    expect(found, what).toEqual([]);
  }).toPass({ timeout: 15_000 });
}

/** What only screen readers see takes no room: clipped but as wide as its content, it would make a page scroll sideways. */
function wideButUnseen(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>("*")]
      .filter((element) => getComputedStyle(element).clipPath === "inset(50%)" && element.offsetWidth > 1)
      .map((element) => element.outerHTML.slice(0, 160)),
  );
}

// Colours do not depend on the width, so one scheme is enough on the narrow screen.
for (const [width, height, colorScheme] of [
  [1440, 900, "light"],
  [1440, 900, "dark"],
  [390, 844, "dark"],
] as const) {
  test(`no page breaks an accessibility rule at ${width} px, ${colorScheme}`, async ({
    signedIn: page,
    preparation,
  }) => {
    test.setTimeout(180_000);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
    for (const [path, shown] of await filledPages(preparation)) {
      await page.goto(path);
      await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      await expectReachable(page, `${path} at ${width} px, ${colorScheme}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
      expect(await wideButUnseen(page), path).toEqual([]);
    }
  });
}

test("no page fetches a stylesheet ahead that it does not use", async ({ signedIn: page, preparation }) => {
  test.setTimeout(120_000);
  for (const [path, shown] of await filledPages(preparation)) {
    await page.goto(path);
    await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
    const unused = () =>
      page.evaluate(() => {
        const used = new Set([...document.styleSheets].map(({ href }) => href));
        const ahead = document.querySelectorAll<HTMLLinkElement>("link[rel=preload][as=style]");
        return [...ahead].map(({ href }) => href).filter((href) => !used.has(href));
      });
    await expect.poll(unused, path).toEqual([]);
  }
});

test("the palette breaks none either, in light or dark", async ({ signedIn: page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/flows");
  await page.getByRole("button", { name: "Search" }).filter({ visible: true }).click();
  await expect(page.getByRole("textbox", { name: "Search commands" })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    await expectReachable(page, `the palette, ${colorScheme}`);
  }
});
