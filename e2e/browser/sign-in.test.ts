import type { Page } from "@playwright/test";
import { violationsInBoth } from "./accessibility.ts";
import { account, expect, signIn, test } from "./signed-in.ts";

const scripts = /\/_next\/static\/.*\.js$/;

test("signed-out visitors are sent to the sign-in page", async ({ page }) => {
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a wrong password is explained, and the right one leads to the overview", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(account.email());
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "password is wrong" })).toBeVisible();

  await page.getByLabel("Password", { exact: true }).fill(account.password());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("no page before signing in breaks an accessibility rule, in light or dark", async ({ page }) => {
  for (const path of ["/sign-in", "/forgot-password", "/reset-password/used-before", "/invitations/used-before"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await violationsInBoth(page), path).toEqual([]);
  }
});

test("signing in leads to the requested page", async ({ page }) => {
  await page.goto("/runs?status=failed");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await submitAccount(page);
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/runs\?status=failed$/);
  // Somebody already signed in is redirected at once.
  await page.goto("/sign-in?next=/runs");
  await expect(page).toHaveURL(/\/runs$/);
});

test("a page whose session has ended leads to sign-in, and from there back", async ({ page, context }) => {
  await page.goto("/settings/audit-log");
  await submitAccount(page);
  const since = page.getByRole("combobox", { name: "When" });
  await expect(since).toBeVisible();
  await context.clearCookies();
  await since.selectOption("Last 7 days");
  const notice = page.getByRole("alert").filter({ hasText: "The audit log could not be loaded" });
  await expect(notice).toContainText("Your session has ended.");
  const url = page.url();
  await notice.getByRole("button", { name: "Sign in" }).click();
  await submitAccount(page);
  await expect(page).toHaveURL(url);
});

for (const foreign of ["https://example.com/", "//example.com/", "/\\example.com/", "/.//example.com/"]) {
  test(`signing in does not lead to ${foreign}`, async ({ page, baseURL }) => {
    await page.goto(`/sign-in?next=${encodeURIComponent(foreign)}`);
    await submitAccount(page);
    await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
    await expect(page).toHaveURL(`${baseURL}/`);
  });
}

test("a form submitted before the page's scripts have loaded is handled when they have", async ({ page, baseURL }) => {
  const come = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await come.promise;
    await route.continue();
  });
  await page.goto("/sign-in?next=/runs", { waitUntil: "commit" });
  await submitAccount(page);
  // Neither sent, nor in the URL.
  await expect(page).toHaveURL(`${baseURL}/sign-in?next=/runs`);
  await expect(page.getByLabel("Email")).toHaveValue(account.email());
  come.resolve();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
});

test("without scripts nothing that was typed gets into the URL", async ({ page, baseURL }) => {
  await page.route(scripts, (route) => route.abort());
  await page.goto("/sign-in");
  await submitAccount(page);
  await expect(page).toHaveURL(`${baseURL}/sign-in`);
});

test("refused input is still there to be corrected", async ({ page }) => {
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
