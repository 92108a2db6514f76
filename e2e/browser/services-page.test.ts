// The page of imported services: what a person does there, and what a viewer sees.
import type { Locator, Page } from "@playwright/test";
import { violations } from "./accessibility.ts";
import { joinAs } from "./join-as.ts";
import { expect, test } from "./signed-in.ts";

const get = (operationId: string, overrides: object = {}) => ({ get: { operationId, responses: {}, ...overrides } });
const documentOf = (paths: object, url = "https://pets.test") =>
  JSON.stringify({
    ...{ openapi: "3.1.0", info: { title: "Pets", description: "A shop of pets." }, servers: [{ url }], paths },
  });
const before = documentOf({ "/pets": get("listPets"), "/old": get("oldOne") });
const required = [{ name: "kind", in: "query", required: true, schema: { type: "string" } }];
const after = documentOf(
  { "/pets": get("listPets", { parameters: required }), "/new": get("newOne") },
  "https://v2.test",
);

async function choose(dialog: Locator, text: string): Promise<void> {
  const file = { name: "pets.json", mimeType: "application/json", buffer: Buffer.from(text) };
  await dialog.locator('input[type="file"]').setInputFiles(file);
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

// Proves services.page
test("a person imports a document, renames it, imports it again, and deletes it", async ({
  signedIn: page,
  preparation,
}) => {
  const [name, renamed] = [`Pets ${Date.now()}`, `Animals ${Date.now()}`];
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Services" }).click();
  await expect(page.getByRole("heading", { name: "Services", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Import a document" }).click();
  const dialog = page.getByRole("dialog");
  await choose(dialog, "{");
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(dialog.getByText("is neither JSON nor YAML")).toBeVisible();
  await choose(dialog, before);
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(dialog).toBeHidden();
  const row = rowOf(page, name);
  await expect(row).toContainText("A shop of pets.");
  await expect(row).toContainText("a document");
  await expect(row).toContainText("no flows");
  expect(await violations(page, { bestPractices: true })).toEqual([]);

  await act(page, name, "Rename");
  await dialog.getByLabel("Name").fill(renamed);
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect(rowOf(page, renamed)).toBeVisible();

  const services = await preparation.call("GET", `/services?imported=true&search=${encodeURIComponent(renamed)}`);
  const [{ id }] = services;
  const config = (operation: string) => ({ service: id, operation });
  const flow = await preparation.createFlow({
    name: "Feeds the pets",
    trigger: { type: "manual" },
    nodes: [
      { id: "list", type: "call", name: "List them", config: config("listPets") },
      { id: "old", type: "call", name: "The old one", config: config("oldOne") },
    ],
  });
  await page.reload();
  await rowOf(page, renamed).getByRole("button", { name: "Feeds the pets" }).click();
  await expect(page.getByRole("dialog")).toContainText("List them, The old one");
  await page.keyboard.press("Escape");

  await act(page, renamed, "Reimport");
  await choose(dialog, after);
  await dialog.getByRole("button", { name: "Show changes" }).click();
  await expect(dialog.getByRole("region", { name: "New operations" })).toContainText("newOne");
  await expect(dialog.getByRole("region", { name: "Removed operations" })).toContainText("oldOne");
  await expect(dialog.getByRole("region", { name: "Changed operations" })).toContainText("listPets");
  await expect(dialog.getByRole("region", { name: "Base URL" })).toContainText("https://pets.test → https://v2.test");
  const touched = dialog.getByRole("region", { name: "Flows to check" });
  await expect(touched.getByRole("link", { name: "Feeds the pets" })).toHaveAttribute("href", `/flows/${flow}`);
  await expect(touched).toContainText("oldOne is removed");
  expect(await violations(page, { within: "[role=dialog]" })).toEqual([]);
  const operations = async () =>
    (await preparation.call("GET", `/services/${id}`)).operations.map((operation: { id: string }) => operation.id);
  expect(await operations()).toEqual(["listPets", "oldOne"]);
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`${renamed} was reimported and has 2 operations.`)).toBeVisible();
  expect(await operations()).toEqual(["listPets", "newOne"]);

  await act(page, renamed, "Delete");
  await expect(dialog).toContainText("Used in Feeds the pets: nodes that call it will fail.");
  expect(await violations(page, { within: "[role=dialog]" })).toEqual([]);
  await dialog.getByRole("button", { name: "Delete service" }).click();
  await expect(rowOf(page, renamed)).toBeHidden();
});

test("a document at an address that cannot be fetched is told in the form, and the page's errors can be tried again", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Broken ${Date.now()}`;
  await preparation.call("POST", "/services", { name, document: before });
  let isDown = true;
  await page.route("**/api/v1/services?imported=true**", (route) =>
    isDown ? route.fulfill({ status: 503, json: { success: false } }) : route.continue(),
  );
  await page.goto("/services");
  await expect(page.getByRole("alert").filter({ hasText: "The services could not be loaded" })).toBeVisible({
    timeout: 30_000,
  });
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await act(page, name, "Reimport");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Or its URL").fill("http://10.1.2.3/openapi.json");
  await dialog.getByRole("button", { name: "Show changes" }).click();
  await expect(dialog.getByText(/could not be fetched/)).toBeVisible();
});

test("a viewer sees the services, and why nothing can be changed", async ({
  signedIn: owner,
  preparation,
  browser,
}) => {
  const name = `Seen ${Date.now()}`;
  await preparation.call("POST", "/services", { name, document: before });
  const page = await joinAs(owner, browser, "Viewer");
  await page.goto("/services");
  await expect(rowOf(page, name)).toBeVisible();
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await expect(
    page.getByText("You are a viewer: only an editor or an owner of the workspace can do this."),
  ).toBeVisible();
  for (const action of ["Rename", "Reimport", "Delete"]) {
    await expect(page.getByRole("menuitem", { name: action })).toBeDisabled();
  }
  await page.context().close();
});

test("the editor's palette leads to the page", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ name: "From the palette", trigger: { type: "manual" }, nodes: [] });
  await page.goto(`/flows/${flow}`);
  await page.getByRole("link", { name: "Manage imported services" }).click();
  await expect(page.getByRole("heading", { name: "Services", level: 1 })).toBeVisible();
});
