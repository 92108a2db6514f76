import { expect, test } from "./signed-in.ts";

const name = `Ask the boss ${Date.now()}`;
const flow = {
  name,
  trigger: { type: "manual" },
  nodes: [
    { id: "ask", type: "wait", name: "Wait for a yes", config: {} },
    { id: "go", type: "transform", name: "Go on", config: { transform: "({ said: $nodes['ask'].output.body.said })" } },
  ],
  edges: [{ source: "ask", target: "go" }],
};

test("a run is found by name, watched while it waits and runs, to its end, and compared with the previous one", async ({
  signedIn: page,
  preparation,
}) => {
  const flowId = await preparation.createFlow(flow);
  const resume = async (run: string, note: string) => {
    const statusOf = async () => (await preparation.call("GET", `/executions/${run}/nodes/ask`)).status;
    await expect.poll(statusOf).toBe("running");
    // The node has started; its wait is stored a moment later.
    await expect(() => preparation.call("POST", `/executions/${run}/nodes/ask/resume`, { said: note })).toPass();
  };
  const first = await preparation.run(flowId, {});
  await resume(first, "no");
  const run = await preparation.run(flowId, { amount: 12 });

  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("textbox", { name: "Search commands" }).fill(run);
  await page.getByRole("button", { name: new RegExp(`^${name}: (running|waiting for a call)`) }).click();
  const header = page.locator("header").filter({ hasText: name });
  await expect(header.getByText("Waiting for a call")).toBeVisible();
  const waterfall = page.getByRole("region", { name: "Nodes" });
  await expect(waterfall.getByText("In the queue").first()).toBeVisible();
  await expect(waterfall.getByRole("button", { name: "Waiting for a call Wait for a yes" })).toBeVisible();

  // No reload from here on: changes arrive on their own.
  await page.evaluate(() => {
    document.documentElement.dataset.watched = "since the beginning";
  });
  await waterfall.getByRole("button", { name: "Waiting for a call Wait for a yes" }).click();
  await page.getByRole("button", { name: "Continue" }).first().click();
  const answer = page.getByRole("dialog", { name: "Continue Wait for a yes" });
  await answer.getByLabel("Answer").fill('{"said": "yes"}');
  await answer.getByRole("button", { name: "Submit answer" }).click();
  await expect(header.getByText("Completed")).toBeVisible();
  await expect(waterfall.getByRole("button", { name: "Completed Go on" })).toBeVisible();
  await expect(page.getByLabel("Output of the run")).toContainText("yes");
  await expect(page.locator("html")).toHaveAttribute("data-watched", "since the beginning");

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Compare with another" }).click();
  await expect(page.getByRole("region", { name: "The other run" }).first()).toContainText("Completed");
  await page.getByRole("button", { name: "Go on" }).click();
  const difference = page
    .getByRole("region", { name: "Go on: differences" })
    .getByRole("row")
    .filter({ hasText: "said" });
  await expect(difference.first()).toContainText('"yes"');
  await expect(difference.first()).toContainText('"no"');
});
