import { expect, test } from "./signed-in.ts";

test("a template is found, says what to connect, and becomes a draft with its table", async ({ signedIn: page }) => {
  await page.goto("/flows/new");
  await expect(page.getByRole("region", { name: "Sales" }).getByRole("link")).not.toHaveCount(0);
  await page.getByLabel("Search templates").fill("crm form");
  await expect(page.getByRole("region", { name: "Sales" })).toBeHidden();
  await page.getByRole("link", { name: /Form to CRM/ }).click();

  await expect(page.getByRole("heading", { name: "Form to CRM", level: 1 })).toBeVisible();
  const connections = page.getByRole("region", { name: "What to connect" });
  await expect(connections).toContainText("hubspot");
  await expect(connections.getByRole("checkbox", { name: /Create the table unsent-leads/ })).toBeChecked();
  await page.getByRole("button", { name: "Use template" }).click();

  await expect(page).toHaveURL(/\/flows\/flow_/);
  await expect(page.locator(".react-flow__node").filter({ hasText: "Create the contact" })).toBeVisible();
  await page.goto("/tables");
  await expect(page.getByRole("link", { name: "unsent-leads" })).toBeVisible();
});

test("a template is used a second time, and after an attempt that failed half-way", async ({
  signedIn: page,
  preparation,
}) => {
  await page.goto("/flows/new/form-to-crm");
  const use = page.getByRole("button", { name: "Use template" });
  // The table is made, the flow is not.
  await page.route("**/api/v1/flows", (route) =>
    route.fulfill({ status: 503, json: { error: { code: "X", message: "" } } }),
  );
  await use.click();
  await expect(page.getByText("The flow could not be created.")).toBeVisible();
  await page.unroute("**/api/v1/flows");
  const names: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    await use.click();
    await expect(page).toHaveURL(/\/flows\/flow_/);
    names.push((await preparation.call("GET", new URL(page.url()).pathname)).name);
    await page.goto("/flows/new/form-to-crm");
  }
  expect(names[1]).toMatch(/^Form to CRM \d+$/);
  expect(names[1]).not.toBe(names[0]);
});

test("a click on a template that follows the typing at once opens it", async ({ signedIn: page }) => {
  await page.goto("/flows/new");
  const link = page.getByRole("link", { name: /Form to CRM/ });
  await expect(link).toBeVisible();
  // What it opens arrives after the search has been put into the URL.
  await page.route("**/flows/new/form-to-crm*", async (route) => {
    await page.waitForURL(/search=crm/, { timeout: 5_000 }).catch(() => {});
    await route.continue();
  });
  await page.getByLabel("Search templates").pressSequentially("crm");
  await link.click();
  await expect(page.getByRole("heading", { name: "Form to CRM", level: 1 })).toBeVisible();
});

test("one that needs nothing says so; one that is not there has a way back", async ({ signedIn: page }) => {
  await page.goto("/flows/new/check-and-answer");
  await expect(page.getByRole("heading", { name: "Nothing to connect" })).toBeVisible();
  await page.goto("/flows/new/nope");
  await expect(page.getByText("The template could not be loaded")).toBeVisible();
  await page.getByRole("link", { name: "Go to the templates" }).click();
  await expect(page.getByRole("link", { name: /Form to CRM/ })).toBeVisible();
});

test("an empty flow is made once, however fast it is clicked or pasted again", async ({ signedIn: page }) => {
  let created = 0;
  await page.route("**/api/v1/flows", async (route) => {
    if (route.request().method() === "POST") created += 1;
    await route.continue();
  });
  await page.goto("/flows/new");
  await expect(page.getByRole("link", { name: /Form to CRM/ })).toBeVisible();
  await page.getByRole("button", { name: "Start from scratch" }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(page).toHaveURL(/\/flows\/flow_/);
  await expect(page.locator(".react-flow__node")).not.toHaveCount(0);
  expect(created).toBe(1);
});
