import type { Page } from "@playwright/test";
import { violations } from "./accessibility.ts";
import { expect, test } from "./signed-in.ts";

const title = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const answer = (page: Page) => page.getByRole("region", { name: "Response", exact: true });
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).click();

/** Finds an operation by name, and opens the form that sends it. */
async function tryOperation(page: Page, search: string, summary: string): Promise<void> {
  await page.getByLabel("Find an operation").fill(search);
  // With its method: other operations' names begin with this one's.
  await page.getByRole("link", { name: new RegExp(`^${summary} [A-Z]+$`) }).click();
  await expect(title(page, summary)).toBeVisible();
  await page.getByRole("button", { name: "Try it" }).click();
}

// Proves beyond.reference
test("an operation is found and sent from the reference, which calls only this service", async ({
  signedIn: page,
  baseURL,
}) => {
  const elsewhere: string[] = [];
  await page.route(
    (url) => url.origin !== new URL(baseURL ?? "").origin,
    async (route) => {
      elsewhere.push(route.request().url());
      await route.abort();
    },
  );
  await page.goto("/");
  await page.getByRole("link", { name: "API reference" }).click();
  await expect(title(page, "API reference")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await tryOperation(page, "POST /flows create", "Create a flow");
  const editor = page.getByRole("textbox", { name: "Body" });
  await editor.fill('{"name": "From the reference", "trigger": {"type": "webhook"}, "nodes": []}');
  await expect(page.getByText("This really runs, in this workspace.")).toBeVisible();
  await send(page);
  await expect(answer(page)).toContainText("201 success");
  await expect(answer(page)).toContainText("From the reference");
  expect(await violations(page)).toEqual([]);
  const id = /flow_[0-9a-z]{26}/.exec((await answer(page).textContent()) ?? "")?.[0] ?? "";

  await tryOperation(page, "read a flow", "Read a flow");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await page.getByRole("textbox", { name: "id" }).fill(id);
  await send(page);
  await expect(answer(page)).toContainText("200 success");
  await expect(answer(page)).toContainText("From the reference");
  await answer(page)
    .getByText(/headers$/)
    .click();
  await expect(answer(page)).toContainText("x-request-id");

  await tryOperation(page, "delete a flow", "Delete a flow");
  await expect(page.getByText("This really deletes, in this workspace.")).toBeVisible();
  await page.getByRole("textbox", { name: "id" }).fill(id);
  await page.getByRole("button", { name: "Send and delete" }).click();
  await expect(answer(page)).toContainText("204 success");
  expect(elsewhere).toEqual([]);
});

test("a key is sent instead of the session, and stored nowhere", async ({ signedIn: page }) => {
  await page.goto("/reference#readAccount");
  await expect(title(page, "Who am I")).toBeVisible();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByLabel("Send as").selectOption("An API key");
  const key = process.env.API_KEY ?? "";
  await page.getByLabel("Key", { exact: true }).fill("not-a-key");
  await send(page);
  await expect(answer(page)).toContainText("401 refused");
  await page.getByLabel("Key", { exact: true }).fill(key);
  await send(page);
  await expect(answer(page)).toContainText(`kind"key"`);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
  expect(stored).not.toContain(key);
  await page.reload();
  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.getByLabel("Send as")).toHaveValue("session");
});

test("the reference is used by keyboard: search, Enter and its URL", async ({ signedIn: page }) => {
  await page.goto("/settings/api-keys");
  await page.getByRole("main").getByRole("link", { name: "API reference" }).click();
  await expect(title(page, "API reference")).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Find an operation")).toBeFocused();
  await page.keyboard.type("cancel an execution");
  await page.keyboard.press("Enter");
  await expect(title(page, "Cancel an execution")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/reference/cancelExecution");
  await page.getByLabel("Find an operation").fill("nothing like it");
  await expect(page.getByText("No operation has “nothing like it”")).toBeVisible();
});

test.describe("at 390 px", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the reference is no wider than the screen", async ({ signedIn: page }) => {
    for (const path of ["", "/createFlow", "/createCredential", "/listExecutions"]) {
      await page.goto(`/reference${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
    }
    await page.getByRole("button", { name: "All operations" }).click();
    await page.getByRole("link", { name: "Run a flow" }).click();
    await expect(title(page, "Run a flow")).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
});
