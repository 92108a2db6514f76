import type { Browser, Page } from "@playwright/test";
import { expect } from "./signed-in.ts";

/** Somebody else whom the owner invites, signed in on a page of their own. */
export async function joinAs(owner: Page, browser: Browser, role: "Editor" | "Viewer"): Promise<Page> {
  await owner.goto("/settings/members");
  await owner.getByRole("button", { name: "Invite" }).click();
  const form = owner.getByRole("dialog", { name: "Invite to the workspace" });
  await form.getByLabel("Email").fill(`${role}-${Date.now()}@example.com`.toLowerCase());
  await form.getByLabel("Role").selectOption(role);
  await form.getByRole("button", { name: "Create invitation" }).click();
  const link = (await owner.getByRole("dialog").locator("pre").textContent())?.trim() ?? "";
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.getByLabel("Your name").fill(role);
  await page.getByLabel("Password", { exact: true }).fill("a long password");
  await page.getByRole("button", { name: "Join the workspace" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible({ timeout: 30_000 });
  return page;
}
