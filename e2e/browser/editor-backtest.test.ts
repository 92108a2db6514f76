import { violations } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const total = {
  id: "total",
  type: "transform",
  name: "Total",
  position: { x: 320, y: 0 },
  config: { transform: "$trigger.body.a + $trigger.body.b" },
};

test("a change is tried on past runs: counts, the runs that differ, and for one both outcomes side by side", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "Backtested", trigger: { type: "manual" }, nodes: [total] });
  await preparation.changeFlow(flow, { status: "active" });
  const editor = new EditorPage(page);
  await editor.open(flow);
  const openBacktest = async () => {
    await page.getByRole("button", { name: "More about this flow" }).click();
    await page.getByRole("menuitem", { name: "What would have changed?" }).click();
  };
  const dialog = page.getByRole("dialog");
  await openBacktest();
  await expect(dialog).toContainText("There is no run to compare with yet.");
  await page.keyboard.press("Escape");

  for (const [a, b] of [
    [1, 2],
    [3, 0],
    [4, 0],
  ]) {
    await preparation.run(flow, { a, b });
  }
  await editor.select("total");
  await editor.write("Transform", "$trigger.body.a - $trigger.body.b");
  await editor.saved();
  await editor.unpublished.getByRole("button", { name: "What would have changed?" }).click();
  await expect(dialog).toContainText("3 runs compared");
  const outcomes = dialog.getByRole("group", { name: "Outcomes" });
  await expect(outcomes.getByRole("button", { name: "Different 1" })).toBeVisible();
  await expect(outcomes.getByRole("button", { name: "Same 2" })).toBeVisible();

  const sides = dialog.getByRole("region", { name: "Total: before and now" });
  await expect(sides.getByRole("region", { name: "Before", exact: true }).first()).toContainText("3");
  await expect(sides.getByRole("region", { name: "Now", exact: true }).first()).toContainText("-1");
  await expect(dialog.locator('.react-flow__node[data-id="total"]')).toContainText("Completed");

  expect(await violations(page)).toEqual([]);

  await outcomes.getByRole("button", { name: "Same 2" }).click();
  const runs = dialog.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await expect(runs).toHaveCount(2);
  await expect(runs.first().getByRole("time")).toHaveText(/just now|min ago/);
  await expect(dialog).toContainText("Nothing differs.");

  // Another choice of runs begins again.
  await dialog.getByRole("combobox", { name: "Runs" }).selectOption("Failed");
  await expect(dialog).toContainText("No matching runs. Choose other runs, or a longer time.");
  await dialog.getByRole("combobox", { name: "Runs" }).selectOption("Completed");
  await dialog.getByLabel("Started").selectOption("Last hour");
  await expect(dialog).toContainText("3 runs compared");
  // Nothing was sent, and no run was stored.
  const { pagination } = await (await page.request.get(`/api/v1/executions?flowId=${flow}`)).json();
  expect(pagination.total).toBe(3);
});
