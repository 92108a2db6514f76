import { expect, test } from "./signed-in.ts";

test("an empty workspace offers an example that a click creates, and a run of it shows node by node", async ({
  signedIn: page,
  preparation,
}) => {
  await preparation.deleteAllFlows();
  await page.goto("/flows");
  await page.getByRole("button", { name: "Create the example flow" }).click();

  await expect(page.getByRole("heading", { name: "Order intake", level: 1 })).toBeVisible();
  await expect(page.getByText(/\/webhooks\/hook_/)).toBeVisible();
  await page.locator('.react-flow__node[data-id="check"]').click();
  const form = page.getByRole("complementary", { name: "Node", exact: true });
  await expect(form).toContainText("Condition");
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();

  await page.getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Run Order intake" });
  await dialog.getByLabel("Input").fill("{");
  await dialog.getByRole("button", { name: "Run" }).click();
  await expect(dialog.getByText(/This is not JSON/)).toBeVisible();
  await dialog.getByLabel("Input").fill('{"id": "A-1"}');
  await dialog.getByRole("button", { name: "Run" }).click();

  await expect(page.getByRole("region", { name: "Run", exact: true })).toContainText("Completed");
  await page.getByRole("link", { name: "Open the run" }).click();
  await expect(page).toHaveURL(/\/runs\/exec_/);
  await expect(page.locator("header").filter({ hasText: "Order intake" }).getByText("Completed")).toBeVisible();
  const nodes = page.getByRole("region", { name: "Nodes" });
  await expect(nodes.getByRole("button", { name: /Completed.*Is it an order\?/ })).toBeVisible();
  await expect(nodes.getByRole("button", { name: /Completed.*Say what is missing/ })).toBeVisible();
  await expect(nodes.getByRole("button", { name: /Skipped.*Ask for the rate/ })).toBeVisible();
  await expect(page.getByLabel("Output of the run")).toContainText("An order has items");

  await nodes.getByRole("button", { name: /Is it an order\?/ }).click();
  const panel = page.getByRole("complementary", { name: "Is it an order?" });
  await expect(panel.getByRole("region", { name: "Output" })).toContainText("branch");
  await panel.getByRole("tab", { name: "Input" }).click();
  await expect(panel.getByRole("region", { name: "Input" })).toContainText("condition");
});

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
