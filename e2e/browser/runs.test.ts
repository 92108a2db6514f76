import { expect, test } from "./signed-in.ts";

const greeting = "`Dear ${$trigger.body.customer.name}`";

const failing = {
  name: "Greet customers",
  trigger: { type: "manual" },
  nodes: [{ id: "greet", type: "transform", name: "Write the greeting", config: { transform: greeting } }],
};

const endless = {
  name: "Count without end",
  trigger: { type: "manual" },
  nodes: [{ id: "count", type: "code", name: "Count", config: { code: "for (;;) {}", timeoutMs: 60_000 } }],
};

test("a failed run names the node, the field and the expression", async ({ signedIn: page, preparation }) => {
  const run = await preparation.run(await preparation.createFlow(failing), {});
  await page.goto(`/runs/${run}`);
  await expect(page.getByRole("alert").filter({ hasText: "Write the greeting failed" })).toBeVisible();
  await page.getByRole("button", { name: "Show the error" }).click();
  const panel = page.getByRole("complementary", { name: "Write the greeting" });
  await expect(panel.getByRole("tabpanel", { name: "Error" })).toContainText("Transform: ");
  await expect(panel.getByRole("code").filter({ hasText: greeting })).toBeVisible();
  // What it read.
  await expect(panel.getByRole("code").filter({ hasText: "$trigger.body.customer = null" })).toBeVisible();
  // The failing position is marked within it.
  await expect(panel.locator("pre")).toContainText("$trigger.body.customer");
});

test("a run is drawn as its flow was when it ran", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ ...failing, name: "Changed since" });
  const run = await preparation.run(flow, { customer: { name: "Ada" } });
  const later = { id: "note", type: "log", name: "Note it", config: { message: "hello" } };
  await preparation.changeFlow(flow, { nodes: [later] });
  await page.goto(`/runs/${run}`);
  const canvas = page.getByRole("application", { name: "Flow" });
  await expect(canvas.getByRole("button", { name: "Write the greeting" })).toBeVisible();
  await expect(canvas.getByRole("button", { name: "Note it" })).toBeHidden();
  await page.goto(`/flows/${flow}`);
  await expect(canvas.getByRole("group", { name: "Note it" })).toBeVisible();
});

test("a run in progress can be cancelled with a reason", async ({ signedIn: page, preparation }) => {
  const run = await preparation.run(await preparation.createFlow(endless), {});
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this run" });
  await dialog.getByLabel("Reason").fill("It counts forever");
  await dialog.getByRole("button", { name: "Cancel run" }).click();
  await expect(page.getByText("It counts forever").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Run again", exact: true })).toBeVisible();
});

test("a reason is kept while cancelling fails", async ({ signedIn: page, preparation }) => {
  const run = await preparation.run(await preparation.createFlow(endless), {});
  await page.goto(`/runs/${run}`);
  await page.route("**/cancel", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this run" });
  await dialog.getByLabel("Reason").fill("It counts forever");
  await dialog.getByRole("button", { name: "Cancel run" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The run was not cancelled.");
  await dialog.getByRole("button", { name: "Cancel run" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("It counts forever").first()).toBeVisible();
});

test("retrying from a node creates a new run that names the first", async ({ signedIn: page, preparation }) => {
  const run = await preparation.run(await preparation.createFlow(failing), { customer: { name: "Ada" } });
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "Run again", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Run Greet customers again" });
  await expect(dialog.getByRole("list", { name: "Plan" })).toContainText("runs");
  await dialog.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByRole("link", { name: /Retry of/ })).toBeVisible();
  expect(page.url()).not.toContain(run);
});

test("a run is shown in the editor, where a test can be made from it", async ({ signedIn: page, preparation }) => {
  const run = await preparation.run(await preparation.createFlow(failing), { customer: { name: "Ada" } });
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Show in the editor" }).click();
  const shown = page.getByRole("region", { name: "Run", exact: true });
  await expect(shown.getByRole("link", { name: "Open the run" })).toHaveAttribute("href", `/runs/${run}`);
  await expect(shown.getByRole("button", { name: "Make a test from this run" })).toBeVisible();
});

test("a run's page makes a test of it, and leads to the flow's tests", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow(failing);
  const run = await preparation.run(flow, { customer: { name: "Ada" } });
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Make a test" }).click();
  await page.getByRole("link", { name: "Show the tests" }).click();
  await expect(page).toHaveURL(`/flows/${flow}/tests`);
  await expect(page.getByRole("listitem", { name: /^Run of/ })).toContainText("Not run");

  // Of a part of a flow none can be made: the page says why.
  const { executionId } = await preparation.call("POST", `/executions/${run}/retry`, { fromNode: "greet" });
  await page.goto(`/runs/${executionId}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Make a test" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "No test was created" })).toContainText("of the whole flow");
});

test("deleting a run in progress asks first, because it cancels the run", async ({ signedIn: page, preparation }) => {
  const nodes = [{ id: "wait", type: "wait", name: "Wait", config: {} }];
  const run = await preparation.run(await preparation.createFlow({ ...failing, name: "Waits", nodes, edges: [] }), {});
  await page.goto(`/runs/${run}`);
  await expect(page.getByText("Wait waits for a call")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete the run" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this run" });
  await expect(dialog).toContainText("cannot be undone");
  await dialog.getByRole("button", { name: "Cancel and delete it" }).click();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
  await page.goto(`/runs/${run}`);
  await expect(page.getByText("The run could not be loaded")).toBeVisible();
});

test("the list is filtered by status and keeps the filter in the URL", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ ...failing, name: "Filtered" });
  await preparation.run(flow, { customer: { name: "Ada" } });
  await preparation.run(flow, {});
  await page.goto(`/runs?flow=${flow}`);
  await expect(page.getByRole("row").filter({ hasText: "Failed" })).toHaveCount(1);
  await expect(page.getByRole("row").filter({ hasText: "Completed" })).toHaveCount(1);
  await page.getByLabel("Status").selectOption("Failed");
  await expect(page.getByRole("row").filter({ hasText: "Completed" })).toHaveCount(0);
  await expect(page).toHaveURL(/status=failed/);
  // As when a choice is made while the page becomes interactive: it is repeated.
  await page.getByLabel("Status").dispatchEvent("change");
  await page.goBack();
  await expect(page.getByRole("row").filter({ hasText: "Completed" })).toHaveCount(1);
});

test("a filter counts that was chosen before the page noticed changes of its URL", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ ...failing, name: "Unnoticed" });
  await preparation.run(flow, {});
  await page.goto(`/runs?flow=${flow}`);
  const rows = page.getByRole("row").filter({ hasText: "Failed" });
  await expect(rows).toHaveCount(1);
  await page.evaluate(() => {
    History.prototype.pushState.call(
      window.history,
      window.history.state,
      "",
      `${window.location.search}&status=cancelled`,
    );
  });
  await page.getByLabel("Status").selectOption("Cancelled");
  await expect(rows).toHaveCount(0);
  await page.goBack();
  await expect(rows).toHaveCount(1);
});

test("a filter that is chosen right after a search was typed keeps the search", async ({ signedIn: page }) => {
  await page.goto("/runs?status=completed");
  await page.getByLabel("Search runs").fill("ada");
  await page.evaluate(() => {
    const [search, status] = [
      document.querySelector("input[type=search]"),
      document.querySelector("[aria-label=Status]"),
    ];
    if (!(search instanceof HTMLInputElement) || !(status instanceof HTMLSelectElement)) throw new Error("no filters");
    search.blur();
    status.value = "failed";
    status.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await expect(page).toHaveURL(/search=ada/);
  await expect(page).toHaveURL(/status=failed/);
});

test("two runs of a flow that are ticked are compared, the later with the earlier", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ ...failing, name: "Greet twice" });
  const earlier = await preparation.run(flow, {});
  const later = await preparation.run(flow, { customer: { name: "Ada" } });
  await page.goto(`/runs?flow=${flow}`);
  const ticks = page.getByRole("checkbox", { name: "Select the run of Greet twice" });
  await expect(ticks).toHaveCount(2);
  const compare = page.getByRole("link", { name: "Compare" });
  await ticks.last().check();
  await expect(page.getByRole("region", { name: "Selected runs" })).toContainText("1 run");
  await expect(compare).toBeHidden();
  await ticks.first().check();
  await compare.click();
  await expect(page).toHaveURL(new RegExp(`/runs/${later}/compare\\?with=${earlier}`));
  await expect(page.getByRole("heading", { name: "Compare runs of Greet twice" })).toBeVisible();
});

test("failed runs are started again together, and the message leads to the new ones", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [{ id: "fail", type: "transform", config: { transform: "$trigger.body.order.total" } }];
  const flow = await preparation.createFlow({ name: "Failing together", trigger: { type: "manual" }, nodes });
  for (const _ of [1, 2]) await preparation.run(flow, {});
  await page.goto(`/runs?flow=${flow}&status=failed`);
  await expect(page.getByRole("row").filter({ hasText: "Failed" })).toHaveCount(2);
  await page.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Run again" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Run 2 runs again" }).click();
  await expect(page.getByText("2 runs were started again.")).toBeVisible();
  await page.getByRole("link", { name: "Show retries" }).click();
  await expect(page).toHaveURL(/\/runs\?source=retry$/);
  await expect(page.getByRole("link", { name: "Failing together" })).toHaveCount(2);
});
