// A new service: its first account, and its first flow.
import { expect, test } from "@playwright/test";
import { type RunningServer, startServer } from "../support/server.ts";

const password = "correct horse battery";
let server: RunningServer;

// A retry needs the account that the first test makes.
test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  const unset = { BOOTSTRAP_EMAIL: undefined, BOOTSTRAP_PASSWORD: undefined, BOOTSTRAP_API_KEY: undefined };
  server = await startServer({ env: unset });
});

test.afterAll(async () => {
  await server?.stop();
});

// Proves configuration.set-up
test("a new installation leads to set-up, once", async ({ page, context }) => {
  await page.goto(server.url);
  await expect(page).toHaveURL(`${server.url}/setup`);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Workspace").fill("Engines");
  const secret = page.getByLabel("Password", { exact: true });
  await secret.fill("short");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await expect(secret).toHaveAccessibleDescription(/Choose a password of at least 8 characters/);

  await secret.fill(password);
  await page.getByRole("button", { name: "Create workspace" }).click();
  await expect(page.getByRole("heading", { name: "Flows", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create and run the example" })).toBeVisible();

  await context.clearCookies();
  await page.goto(`${server.url}/setup`);
  await expect(page).toHaveURL(`${server.url}/sign-in`);
  await page.getByLabel("Email").fill("ada@example.com");
  await secret.fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("an empty workspace offers an example that a click creates and runs, and another run shows node by node", async ({
  page,
}) => {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(`${server.url}/sign-in?next=/flows`);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText(`curl ${server.url}/api/v1/flows`)).toBeVisible();
  expect(errors).toEqual([]);
  await page.getByRole("button", { name: "Create and run the example" }).click();

  await expect(page.getByRole("heading", { name: "Check and answer", level: 1 })).toBeVisible();
  const shownRun = page.getByRole("region", { name: "Run", exact: true });
  await expect(shownRun).toContainText("Completed");
  await expect(page.locator('.react-flow__node[data-id="answer"]')).toContainText("Completed");
  await expect(page.getByText(/\/webhooks\/hook_/)).toBeVisible();
  await page.locator('.react-flow__node[data-id="check"]').click();
  const form = page.getByRole("complementary", { name: "Node", exact: true });
  await expect(form).toContainText("Condition");
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();

  await page.getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Run Check and answer" });
  await dialog.getByLabel("Input").fill("{");
  await dialog.getByRole("button", { name: "Run" }).click();
  await expect(dialog.getByText(/Not valid JSON/)).toBeVisible();
  await dialog.getByLabel("Input").fill('{"id": "A-1"}');
  await dialog.getByRole("button", { name: "Run" }).click();

  await expect(page.locator('.react-flow__node[data-id="refuse"]')).toContainText("Completed");
  await page.getByRole("link", { name: "Open the run" }).click();
  await expect(page).toHaveURL(/\/runs\/exec_/);
  await expect(page.locator("header").filter({ hasText: "Check and answer" }).getByText("Completed")).toBeVisible();
  const nodes = page.getByRole("region", { name: "Nodes" });
  await expect(nodes.getByRole("button", { name: /Completed.*Is it complete\?/ })).toBeVisible();
  await expect(nodes.getByRole("button", { name: /Completed.*Say what is missing/ })).toBeVisible();
  await expect(nodes.getByRole("button", { name: /Skipped.*Work out the total/ })).toBeVisible();
  await expect(page.getByLabel("Output of the run")).toContainText("An order has items");

  await nodes.getByRole("button", { name: /Is it complete\?/ }).click();
  const panel = page.getByRole("complementary", { name: "Is it complete?" });
  await expect(panel.getByRole("region", { name: "Output" })).toContainText("branch");
  await panel.getByRole("tab", { name: "Input" }).click();
  await expect(panel.getByRole("region", { name: "Input" })).toContainText("condition");
});
