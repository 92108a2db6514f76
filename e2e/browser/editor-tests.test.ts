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
/** Where buttons begin: one place if they are in one line. */
const topsOf = (buttons: Element[]) => buttons.map((button) => button.getBoundingClientRect().top);

const edges = [{ source: "ask", target: "total" }];

test("a run becomes a test, a change that breaks it is shown, blocks the activation, and is fixed or accepted", async ({
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
  await editor.run.getByRole("button", { name: "Make a test from this run" }).click();
  const tests = page.getByRole("complementary", { name: "Tests", exact: true });
  const item = tests.getByRole("listitem");
  await expect(item).toHaveCount(1);
  await expect(item).toContainText("Not run");
  await tests.getByRole("button", { name: "Run all" }).click();
  await expect(item).toContainText("Passed");
  await tests.getByRole("switch", { name: "Must pass to go live" }).check();
  // Escape closes the dialog alone, and the focus returns to its button.
  const edit = item.getByRole("button", { name: "Edit" });
  await edit.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(edit).toBeFocused();
  await tests.getByRole("button", { name: "Close the panel" }).click();

  await editor.select("total");
  await editor.write("Transform", "$node.output.n * 3");
  const openTests = async () => {
    await page.getByRole("button", { name: "More about this flow" }).click();
    await page.getByRole("menuitem", { name: "Flow tests" }).click();
  };
  await openTests();
  await tests.getByRole("button", { name: "Run all" }).click();
  await expect(item).toContainText("Failed");
  await expect(item).toContainText("nodes.total.output");
  const tools = item.getByRole("button", { name: /^(Accept as expected|Rehearse|Edit|Delete)$/ });
  expect(new Set(await tools.evaluateAll(topsOf)).size).toBe(1);
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

test("tests that ran when changes were published have their results in the list, for everyone", async ({
  signedIn: page,
  preparation,
}) => {
  const draft = { name: "Published", trigger: { type: "webhook" }, nodes: [ask] };
  const flow = await preparation.createFlow({ ...draft, status: "active" });
  await preparation.call("POST", `/flows/${flow}/tests`, {
    name: "Asks",
    trigger: { body: { n: 2 } },
    expect: { status: "completed" },
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("ask");
  await editor.write("Transform", "({ n: 7 })");
  await editor.unpublished.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish the changes" });
  await expect(dialog).toContainText("The test passed");
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Version 2 is published.")).toBeVisible();
  await expect
    .poll(async () => (await preparation.call("GET", `/flows/${flow}/tests`))[0]?.lastResult)
    .toMatchObject({ status: "passed", version: 2 });
  await page.goto(`/flows/${flow}/tests`);
  await expect(page.getByRole("listitem", { name: "Asks" })).toContainText("Passed on version 2");
});

test("a flow without tests offers one from its latest run", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ name: "Untested", trigger: { type: "manual" }, nodes: [ask] });
  await page.goto(`/flows/${flow}/tests`);
  await expect(page.getByText("Create one from a run of this flow")).toBeVisible();
  await expect(page.getByRole("button", { name: "Make a test from the latest run" })).toHaveCount(0);
  await preparation.run(flow, { n: 4 });
  await page.reload();
  await page.getByRole("button", { name: "Make a test from the latest run" }).click();
  await expect(page.getByText(/^Test "Run of .* created/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Run all" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Make a test from the latest run" })).toHaveCount(0);
  await expect(page).toHaveURL(/\/tests$/);
});

test("a test is written by hand, says what is wrong with it, and is changed later", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "By hand",
    trigger: { type: "manual" },
    nodes: [ask, total],
    edges,
  });
  await page.goto(`/flows/${flow}/tests`);
  await page.getByRole("button", { name: "New test" }).click();
  const form = page.getByRole("dialog", { name: "New test" });
  await form.getByLabel("Name", { exact: true }).fill("Twice");
  const trigger = form.getByRole("textbox", { name: "Trigger", exact: true });
  await trigger.fill('{"body": {"n": 4');
  await expect(form.getByRole("alert")).toContainText("Not valid JSON");
  await trigger.fill('{"body": {"n": 4}}');
  await form.getByRole("textbox", { name: "Recordings", exact: true }).fill('{"ask": {"output": 1, "error": 2}}');
  await form.getByRole("button", { name: "Create test" }).click();
  await expect(form.getByRole("alert")).toContainText("At ask: must be {output}");
  await form.getByRole("textbox", { name: "Recordings", exact: true }).fill('{"it\'s": {}}');
  await form.getByRole("button", { name: "Create test" }).click();
  await expect(form.getByRole("alert")).toContainText('At ["it\'s"]: must be {output}');
  await form.getByRole("textbox", { name: "Recordings", exact: true }).fill("{}");
  await form.getByRole("textbox", { name: "Expected output", exact: true }).fill("9");
  await form.getByRole("button", { name: "Create test" }).click();
  await expect(form).toBeHidden();
  const item = page.getByRole("listitem", { name: "Twice", exact: true });
  await expect(item).toContainText("Failed");
  await expect(item.getByRole("definition").last()).toHaveText("8");

  await item.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Twice" });
  await expect(edit.getByRole("textbox", { name: "Expected output", exact: true })).toHaveText("9");
  await edit.getByRole("textbox", { name: "Expected output", exact: true }).fill("8");
  await edit.getByLabel("Name", { exact: true }).fill("Doubles");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("listitem", { name: "Doubles", exact: true })).toContainText("Passed");
});

test("saving a test changes what was edited, and nothing else", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({
    name: "Edited",
    trigger: { type: "manual" },
    nodes: [ask, total],
    edges,
  });
  const ignore = ["output.a\nb", "nodes.ask.output. n"];
  const trigger = { body: { n: 4 } };
  const given = {
    name: "Kept",
    now: "2026-01-31T10:00:00Z",
    trigger,
    expect: { status: "completed", output: 9, ignore },
  };
  const path = `/flows/${flow}/tests/${(await preparation.call("POST", `/flows/${flow}/tests`, given)).id}`;
  await page.goto(`/flows/${flow}/tests`);
  const item = page.getByRole("listitem", { name: "Kept", exact: true });
  await item.getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit Kept" });
  await form.getByRole("textbox", { name: "Expected output", exact: true }).fill("8");
  // Meanwhile somebody else changes what is not edited here.
  await preparation.call("PATCH", path, { trigger: { body: { n: 5 } } });
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
  expect(await preparation.call("GET", path)).toMatchObject({
    trigger: { body: { n: 5 } },
    expect: { status: "completed", output: 8, ignore },
  });

  await item.getByRole("button", { name: "Edit" }).click();
  await form.getByLabel("Time", { exact: true }).fill("");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toContainText("Now must be a time");
});

test("a double click deletes one test, not the next one, which is under the pointer by then", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "Twice", trigger: { type: "manual" }, nodes: [ask] });
  for (const name of ["First", "Second", "Third"]) {
    await preparation.call("POST", `/flows/${flow}/tests`, { name, trigger: {}, expect: { status: "completed" } });
  }
  await page.goto(`/flows/${flow}/tests`);
  const items = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Rehearse" }) });
  await expect(items).toHaveCount(3);
  await items.first().getByRole("button", { name: "Delete" }).dblclick({ delay: 40 });
  await expect(page.getByText("Third is deleted.")).toBeVisible();
  await expect(items).toHaveCount(2);
});
