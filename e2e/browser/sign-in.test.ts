import type { Page } from "@playwright/test";
import { account, expect, signIn, test } from "./signed-in.ts";

test("a page of the app sends whoever is not signed in to the sign-in page", async ({ page }) => {
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a wrong password is said in words, and the right one leads to the overview", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(account.email());
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "password is wrong" })).toBeVisible();

  await page.getByLabel("Password", { exact: true }).fill(account.password());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("signing in leads to the page that was asked for", async ({ page }) => {
  await page.goto("/runs?status=failed");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await submitAccount(page);
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/runs\?status=failed$/);
  // Whoever is signed in already is led on at once.
  await page.goto("/sign-in?next=/runs");
  await expect(page).toHaveURL(/\/runs$/);
});

for (const foreign of ["https://example.com/", "//example.com/", "/\\example.com/", "/.//example.com/"]) {
  test(`signing in does not lead to ${foreign}`, async ({ page, baseURL }) => {
    await page.goto(`/sign-in?next=${encodeURIComponent(foreign)}`);
    await submitAccount(page);
    await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
    await expect(page).toHaveURL(`${baseURL}/`);
  });
}

test("signing out ends the session", async ({ page }) => {
  await signIn(page);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.goto("/flows");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

async function submitAccount(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(account.email());
  await page.getByLabel("Password", { exact: true }).fill(account.password());
  await page.getByRole("button", { name: "Sign in" }).click();
}
