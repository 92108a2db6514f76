import { expect, test } from "./signed-in.ts";

test("the list finds a flow by its name and keeps the search in the address", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Ledger ${Date.now()}`;
  await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [] });
  await preparation.createFlow({ name: "Something else", trigger: { type: "manual" }, nodes: [] });
  await page.goto("/flows");
  // Not before the list is there: until then nothing would be found hidden, whatever is searched for.
  await expect(page.getByRole("link", { name: "Something else" }).first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Search flows" }).fill(name);
  await expect(page.getByRole("link", { name: "Something else" })).toBeHidden();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expect(page).toHaveURL(/search=Ledger/);
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Search flows" })).toHaveValue(name);
  await expect(page.getByRole("link", { name: "Something else" })).toBeHidden();
});
