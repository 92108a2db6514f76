import type { Page } from "@playwright/test";
import { expect, type Preparation, test } from "./signed-in.ts";

const nodes = [{ id: "say", type: "log", name: "Say it", config: { message: "hello" } }];

async function deleteRun(page: Page, run: string): Promise<void> {
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete the run" }).click();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
}

const toast = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
const isThere = async (preparation: Preparation, path: string) =>
  await preparation.call("GET", path).then(
    () => true,
    () => false,
  );

test("deleting a run is undone from its toast; otherwise it is gone when the toast is", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Taken back ${Date.now()}`;
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  const run = await preparation.run(flow, {});
  await deleteRun(page, run);
  await expect(page.getByRole("link", { name })).toHaveCount(0);
  await toast(page, `The run of ${name} is deleted`).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("link", { name })).toHaveCount(1);
  expect(await isThere(preparation, `/executions/${run}`)).toBe(true);

  await deleteRun(page, run);
  await toast(page, "is deleted").getByRole("button", { name: "Dismiss" }).click();
  await expect.poll(() => isThere(preparation, `/executions/${run}`)).toBe(false);
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});

test("a deletion is sent when the tab is closed before its toast has gone", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ name: "Closed early", trigger: { type: "manual" }, nodes });
  const run = await preparation.run(flow, {});
  await deleteRun(page, run);
  await expect(toast(page, "is deleted")).toBeVisible();
  expect(await isThere(preparation, `/executions/${run}`)).toBe(true);
  // Chromium closes a tab after half a second even if the page was too busy to handle pagehide.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => isThere(preparation, `/executions/${run}`)).toBe(false);
});

test("deleting a flow with its runs from the list can be undone", async ({ signedIn: page, preparation }) => {
  const name = `Deleted ${Date.now()}`;
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  const run = await preparation.run(flow, {});
  const remove = async () => {
    await page.goto(`/flows?search=${encodeURIComponent(name)}`);
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${name}` });
    await dialog.getByLabel("Delete its runs too").check();
    await dialog.getByRole("button", { name: "Delete flow" }).click();
    await expect(page.getByRole("link", { name })).toHaveCount(0);
  };
  await remove();
  await expect(toast(page, `${name} is deleted`)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.getByRole("link", { name })).toHaveCount(1);
  await expect(toast(page, `${name} is deleted`)).toBeHidden();
  await remove();
  // Navigating by URL leaves the page, too.
  await page.goto("/runs");
  await expect.poll(() => isThere(preparation, `/flows/${flow}`)).toBe(false);
  await expect.poll(() => isThere(preparation, `/executions/${run}`)).toBe(false);
});
