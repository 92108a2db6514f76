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
