import type { Page } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

/** Opens a page whose scripts do not arrive before `release` is called: it can be seen, but does not listen yet. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await expect(page.getByRole("button", { name: /^Search/ }).first()).toBeVisible();
  return () => gate.resolve();
}

test("the palette's key, pressed before the page can listen, opens the palette as soon as it can", async ({
  signedIn: page,
}) => {
  const release = await openWithoutScripts(page, "/flows");
  await page.keyboard.press("ControlOrMeta+k");
  release();
  await expect(page.getByRole("textbox", { name: "Search commands" })).toBeFocused();
});

test("a button that is pressed before the page can listen does its work as soon as it can, once", async ({
  signedIn: page,
}) => {
  const release = await openWithoutScripts(page, "/flows");
  await page
    .getByRole("button", { name: /^Search/ })
    .first()
    .click();
  release();
  await expect(page.getByRole("textbox", { name: "Search commands" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});
