import { expect, test } from "@playwright/test";
import { type RunningServer, startServer } from "../support/server.ts";

const password = "correct horse battery";
let server: RunningServer;

test.beforeAll(async () => {
  // A server makes its database first.
  test.setTimeout(180_000);
  const unset = { BOOTSTRAP_EMAIL: undefined, BOOTSTRAP_PASSWORD: undefined, BOOTSTRAP_API_KEY: undefined };
  server = await startServer({ env: unset });
});

test.afterAll(async () => {
  await server?.stop();
});

test("a new installation leads to set-up, once", async ({ page, context }) => {
  await page.goto(server.url);
  await expect(page).toHaveURL(`${server.url}/setup`);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Workspace").fill("Engines");
  const secret = page.getByLabel("Password", { exact: true });
  await secret.fill("short");
  await page.getByRole("button", { name: "Create the workspace" }).click();
  await expect(secret).toHaveAccessibleDescription(/Choose a password of at least 8 characters/);

  await secret.fill(password);
  await page.getByRole("button", { name: "Create the workspace" }).click();
  await expect(page.getByRole("heading", { name: "Flows", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create the example flow" })).toBeVisible();

  await context.clearCookies();
  await page.goto(`${server.url}/setup`);
  await expect(page).toHaveURL(`${server.url}/sign-in`);
  await page.getByLabel("Email").fill("ada@example.com");
  await secret.fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});
