import { expect, test } from "./signed-in.ts";

const name = `Nightly totals ${Date.now()}`;
const flow = {
  name,
  trigger: { type: "manual" },
  nodes: [
    { id: "read", type: "transform", name: "Read the order", config: { transform: "({ read: true })" } },
    { id: "total", type: "transform", name: "Add it up", config: { transform: "$trigger.body.order.total * 2" } },
  ],
  edges: [{ source: "read", target: "total" }],
};

test("the reason why last night's run failed is found, and it is retried from the failed node with corrected input", async ({
  signedIn: page,
  preparation,
}) => {
  const flowId = await preparation.createFlow(flow);
  await preparation.run(flowId, { ordr: { total: 21 } });
  await page.goto(`/?flow=${flowId}`);
  const errors = page.getByRole("region", { name: "Most common errors" });
  await errors.getByRole("link", { name: /cannot read/ }).click();
  await expect(page).toHaveURL(/status=failed/);
  await page.getByRole("link", { name }).click();
  await expect(page.getByText("Add it up failed")).toBeVisible();
  await page.getByRole("button", { name: "Show the error" }).click();
  await expect(page.getByRole("tabpanel", { name: "Error" })).toContainText("$trigger.body.order.total * 2");

  await page.getByRole("button", { name: "Run again", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Run ${name} again` });
  const plan = dialog.getByRole("list", { name: "Plan" });
  await expect(plan.getByRole("listitem").filter({ hasText: "Read the order" })).toContainText("output reused");
  await expect(plan.getByRole("listitem").filter({ hasText: "Add it up" })).toContainText("runs");
  await dialog.getByLabel("Change the input").check();
  await dialog.getByLabel("Input", { exact: true }).fill('{"order": {"total": 21}}');
  await dialog.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByRole("link", { name: /Retry of/ })).toBeVisible();
  await expect(page.locator("header").filter({ hasText: name }).getByText("Completed")).toBeVisible();
  await expect(page.getByLabel("Output of the run")).toContainText("42");
});
