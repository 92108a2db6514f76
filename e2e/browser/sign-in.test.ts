import { account, expect, signIn, test } from "./signed-in.ts";

test("a page of the app sends whoever is not signed in to the sign-in page", async ({ page }) => {
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a wrong password is said in words, and the right one leads to the flows", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(account.email());
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "password is wrong" })).toBeVisible();

  await page.getByLabel("Password", { exact: true }).fill(account.password());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Flows", level: 1 })).toBeVisible();
});

test("signing out ends the session", async ({ page }) => {
  await signIn(page);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.goto("/flows");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});
