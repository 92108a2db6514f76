import type { Page } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

/** Opens a menu and chooses an entry, by keyboard alone. */
async function choose(page: Page, menu: string, entry: string): Promise<void> {
  await page.getByRole("button", { name: menu }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: entry, exact: true }).focus();
  await page.keyboard.press("Enter");
}

/** The part that keeps the focus is loaded after the page. */
const untilKept = (page: Page) => page.locator(".mantine-Notifications-root").first().waitFor({ state: "attached" });

const manual = { trigger: { type: "manual" }, nodes: [] };

test("the focus goes to the next row when its row is deleted, by menu, by dialog and by button", async ({
  signedIn: page,
  preparation,
}) => {
  const mark = `Kept ${Date.now()}`;
  for (const letter of ["A", "B", "C"]) await preparation.createFlow({ name: `${mark} ${letter}`, ...manual });
  await page.goto(`/flows?search=${encodeURIComponent(mark)}&sort=name-asc`);
  await untilKept(page);
  await choose(page, `Actions for ${mark} A`, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByRole("row").filter({ hasText: `${mark} A` })).toHaveCount(0);
  await expect(page.getByRole("button", { name: `Actions for ${mark} B` })).toBeFocused();

  for (const letter of ["a", "b"]) {
    const email = `${letter}.${Date.now()}@example.com`;
    await preparation.call("POST", "/invitations", { email, role: "viewer" });
  }
  await page.goto("/settings/members");
  await untilKept(page);
  const withdraw = page.getByRole("button", { name: "Withdraw" });
  await expect(withdraw).not.toHaveCount(0);
  const count = await withdraw.count();
  await withdraw.first().press("Enter");
  await expect(withdraw).toHaveCount(count - 1);
  await expect(withdraw.first()).toBeFocused();
});

test("the focus is kept when what had it is done or disabled by its own action", async ({
  signedIn: page,
  preparation,
}) => {
  const mark = `Paged ${Date.now()}`;
  await Promise.all(
    Array.from({ length: 21 }, (_, index) => preparation.createFlow({ name: `${mark} ${index}`, ...manual })),
  );
  await page.goto(`/flows?search=${encodeURIComponent(mark)}`);
  await untilKept(page);
  await page.getByRole("button", { name: "Next page" }).press("Enter");
  await expect(page.getByRole("button", { name: "Next page" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Previous page" })).toBeFocused();
  const first = page.getByRole("checkbox", { name: `Select ${mark}` }).first();
  await first.press("Space");
  await page.getByRole("region", { name: "Selected flows" }).getByRole("button", { name: "Clear" }).press("Enter");
  await expect(first).toBeFocused();
  await page.goto(`/flows?search=${encodeURIComponent(`${mark} nowhere`)}`);
  await untilKept(page);
  await page.getByRole("button", { name: "Clear the filters" }).press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
