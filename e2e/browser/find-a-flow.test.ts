import { expect, test } from "./signed-in.ts";

test("the list finds a flow by name and keeps the search in the URL", async ({ signedIn: page, preparation }) => {
  const name = `Ledger ${Date.now()}`;
  await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [] });
  await preparation.createFlow({ name: "Something else", trigger: { type: "manual" }, nodes: [] });
  await page.goto("/flows");
  // Not before the list is loaded: until then anything would seem to be filtered out.
  await expect(page.getByRole("link", { name: "Something else" }).first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Search flows" }).fill(name);
  await expect(page.getByRole("link", { name: "Something else" })).toBeHidden();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expect(page).toHaveURL(/search=Ledger/);
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Search flows" })).toHaveValue(name);
  await expect(page.getByRole("link", { name: "Something else" })).toBeHidden();
});

test("the palette finds flows, runs and pages by words in any order, the best first", async ({
  signedIn: page,
  preparation,
}) => {
  const mark = `m${Date.now()}`;
  const flow = { trigger: { type: "manual" }, nodes: [{ id: "say", type: "log", config: { message: "hello" } }] };
  // More than the palette shows have it in their name, and come before by name.
  for (let index = 0; index < 9; index += 1)
    await preparation.createFlow({ ...flow, name: `A ${mark} order ${index}` });
  const wanted = await preparation.createFlow({ ...flow, name: `Order ${mark}: intake` });
  await preparation.run(wanted, {});
  await page.reload();
  await page.keyboard.press("ControlOrMeta+k");
  const search = page.getByRole("textbox", { name: "Search commands" });
  const first = page.getByRole("dialog").locator("[data-action]").first();
  await search.fill(`order ${mark}`);
  await expect(first).toContainText(`Order ${mark}: intake`);
  await search.fill(`intake ${mark} ord`);
  await expect(page.getByRole("button", { name: `Order ${mark}: intake: ` })).toBeVisible();
  await expect(page.getByText(`A ${mark} order`)).toHaveCount(0);
  await search.fill("keys settings");
  await expect(first).toHaveText("Settings: API keys");
  await search.fill(`ORDER ${mark}`);
  await expect(first).toContainText(`Order ${mark}: intake`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/flows/${wanted}`));

  await page.goto(`/flows?search=${mark}+int`);
  await expect(page.getByRole("link", { name: `Order ${mark}: intake` })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Order" })).toContainText("Best match first");
});

test("runs are filtered by a flow searched by name, however many there are", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Zebra ${Date.now()}`;
  const nodes = [{ id: "say", type: "log", config: { message: "hello" } }];
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  await preparation.run(flow, {});
  await page.goto("/runs");
  await page.getByRole("button", { name: "Flow: Any flow" }).click();
  const search = page.getByRole("combobox", { name: "Flow", exact: true });
  await expect(search).toBeFocused();
  await search.pressSequentially(name);
  await page.getByRole("option", { name }).click();
  await expect(page).toHaveURL(new RegExp(`flow=${flow}`));
  await expect(page.getByRole("button", { name: `Flow: ${name}` })).toBeVisible();
  await expect(page.getByRole("link", { name })).toHaveCount(1);
});

test("? shows the editor's shortcuts, but not while somebody types", async ({ signedIn: page, preparation }) => {
  await page.goto("/flows");
  await page.getByRole("searchbox", { name: "Search flows" }).press("Shift+?");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto(`/flows/${await preparation.createFlow({ name: "Keys", trigger: { type: "manual" }, nodes: [] })}`);
  await expect(page.locator('.react-flow__node[data-id="trigger"]')).toBeVisible();
  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" }).locator("kbd").first()).toBeVisible();
});
