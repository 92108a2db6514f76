import type { Browser, Page } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

/** Somebody else whom the owner, signed in on a page, invites; signed in on a page of their own. */
export async function joinAs(owner: Page, browser: Browser, role: "Editor" | "Viewer"): Promise<Page> {
  const data = { email: `${role}-${Date.now()}@example.com`.toLowerCase(), role: role.toLowerCase() };
  const { baseURL = "" } = test.info().project.use;
  const answer = await owner.request.post("/api/v1/invitations", { data, headers: { origin: baseURL } });
  expect(answer.status(), await answer.text()).toBe(201);
  const page = await (await browser.newContext()).newPage();
  await page.goto((await answer.json()).data.url);
  await page.getByLabel("Your name").fill(role);
  await page.getByLabel("Password", { exact: true }).fill("a long password");
  await page.getByRole("button", { name: "Join the workspace" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible({ timeout: 30_000 });
  return page;
}
