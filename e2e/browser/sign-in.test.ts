import type { Page } from "@playwright/test";
import { account, expect, signIn, test } from "./signed-in.ts";

const scripts = /\/_next\/static\/.*\.js$/;

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

test("what is sent before the page's scripts have come is done when they have", async ({ page, baseURL }) => {
  const come = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await come.promise;
    await route.continue();
  });
  await page.goto("/sign-in?next=/runs", { waitUntil: "commit" });
  await submitAccount(page);
  // Neither sent, nor in the address.
  await expect(page).toHaveURL(`${baseURL}/sign-in?next=/runs`);
  await expect(page.getByLabel("Email")).toHaveValue(account.email());
  come.resolve();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
});

test("without scripts nothing that was typed gets into the address", async ({ page, baseURL }) => {
  await page.route(scripts, (route) => route.abort());
  await page.goto("/sign-in");
  await submitAccount(page);
  await expect(page).toHaveURL(`${baseURL}/sign-in`);
});

test("what was refused is still there to be mended", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "password is wrong" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("nobody@example.com");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("not the password");
});

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
