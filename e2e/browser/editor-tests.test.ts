import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const ask = {
  id: "ask",
  type: "transform",
  name: "Ask",
  position: { x: 320, y: 0 },
  config: { transform: "({ n: $trigger.body.n })" },
};
const total = {
  id: "total",
  type: "transform",
  name: "Total",
  position: { x: 660, y: 0 },
  config: { transform: "$node.output.n * 2" },
};
const edges = [{ source: "ask", target: "total" }];

test("a run becomes a test, a change that breaks it is shown, blocks the activation, and is mended or accepted", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Tested",
    trigger: { type: "manual" },
    nodes: [ask, total],
    edges,
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.runWith({ n: 21 });
  await editor.run.getByRole("button", { name: "Make a test of this run" }).click();
  const tests = page.getByRole("complementary", { name: "Tests", exact: true });
  const item = tests.getByRole("listitem");
  await expect(item).toHaveCount(1);
  await expect(item).toContainText("Not run");
  await tests.getByRole("button", { name: "Run all" }).click();
  await expect(item).toContainText("Passed");
  await tests.getByRole("switch", { name: "Required to activate" }).check();
  await tests.getByRole("button", { name: "Close the panel" }).click();

  await editor.select("total");
  await editor.write("Transform", "$node.output.n * 3");
  const openTests = async () => {
    await page.getByRole("button", { name: "More about this flow" }).click();
    await page.getByRole("menuitem", { name: "Tests of the flow" }).click();
  };
  await openTests();
  await tests.getByRole("button", { name: "Run all" }).click();
  await expect(item).toContainText("Failed");
  await expect(item).toContainText("nodes.total.output");
  await expect(item.getByRole("definition").first()).toHaveText("42");
  await expect(item.getByRole("definition").last()).toHaveText("63");

  await editor.saved();
  await editor.live.click();
  const problems = page.getByRole("complementary", { name: "Problems", exact: true });
  await expect(problems).toContainText("fails");
  await expect(editor.live).not.toBeChecked();

  await openTests();
  await item.getByRole("button", { name: "Show the node" }).click();
  await editor.write("Transform", "$node.output.n + $node.output.n");
  await openTests();
  await tests.getByRole("button", { name: "Run all" }).click();
  await expect(item).toContainText("Passed");

  await tests.getByRole("button", { name: "Close the panel" }).click();
  await editor.select("total");
  await editor.write("Transform", "$node.output.n * 10");
  await openTests();
  await tests.getByRole("button", { name: "Run all" }).click();
  await item.getByRole("button", { name: "Accept as expected" }).click();
  await expect(item).toContainText("Passed");

  await editor.saved();
  await editor.live.click();
  await expect(editor.live).toBeChecked();
});
