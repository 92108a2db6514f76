import type { Page } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

/** Opens a page whose scripts do not arrive before `release` is called: visible, but not interactive yet. */
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

test("the palette's key, pressed before the page is interactive, opens the palette as soon as it is", async ({
  signedIn: page,
}) => {
  const release = await openWithoutScripts(page, "/flows");
  await page.keyboard.press("ControlOrMeta+k");
  release();
  await expect(page.getByRole("textbox", { name: "Search commands" })).toBeFocused();
});

test("the palette opened before the editor has the editor's commands as soon as it is there", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "Early", trigger: { type: "manual" }, nodes: [] });
  const release = await openWithoutScripts(page, `/flows/${flow}`);
  await page.keyboard.press("ControlOrMeta+k");
  release();
  await expect(page.getByRole("textbox", { name: "Search commands" })).toBeFocused();
  await page.keyboard.type("Show the whole");
  await expect(page.getByRole("dialog").getByText("Show the whole flow")).toBeVisible();
});

test("a button pressed before the page is interactive works as soon as it is, once", async ({ signedIn: page }) => {
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
