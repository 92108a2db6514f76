import type { Page } from "@playwright/test";
import { violations } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const step = (id: string, name: string, x: number, y: number, transform: string) => ({
  id,
  type: "transform",
  name,
  position: { x, y },
  config: { transform },
});
const branching = {
  name: "Replayed",
  trigger: { type: "manual" },
  nodes: [
    {
      id: "check",
      type: "if-else",
      name: "Is it large?",
      position: { x: 0, y: 0 },
      config: { condition: "$trigger.body.total > 100" },
    },
    step("ask", "Ask the boss", 320, -80, "1"),
    step("tell", "Tell everybody", 640, -80, "2"),
    step("small", "Take it", 320, 120, "({ taken: $trigger.body.total })"),
  ],
  edges: [
    { source: "check", target: "ask", sourceHandle: "true" },
    { source: "ask", target: "tell" },
    { source: "check", target: "small", sourceHandle: "false" },
  ],
};

const card = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

test("a run is replayed step by step, by the slider and along the waterfall, with one cursor", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow(branching);
  const run = await preparation.run(flow, { total: 7 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`/runs/${run}?node=small`);
  const replay = page.getByRole("region", { name: "Replay" });
  const slider = replay.getByRole("slider", { name: "Position in the run" });
  await expect(card(page, "small")).toContainText("Completed");
  await expect(page.getByRole("region", { name: "Output", exact: true }).first()).toContainText("taken");

  await expect(slider).toBeEnabled();
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(card(page, "check")).toContainText("Pending");
  await expect(card(page, "small")).toContainText("Pending");
  await expect(page.getByText("This node had not run yet at this moment.")).toBeVisible();
  await expect(slider).toHaveAttribute("aria-valuetext", /^0 of 6: 0 ms, The run started/);
  await expect(page.locator("[data-cursor]")).toHaveAttribute("data-cursor", "0.0000");

  await page.keyboard.press("ArrowRight");
  await expect(card(page, "check")).toContainText("Running");
  await replay.getByRole("button", { name: "Step forward" }).click();
  await expect(card(page, "check")).toContainText("Completed");
  await page.keyboard.press(".");
  await page.keyboard.press(",");
  await expect(slider).toHaveAttribute("aria-valuetext", /^2 of 6: .*Is it large\? completed/);
  await expect(
    page.getByRole("region", { name: "Nodes" }).getByRole("button", { name: /^Pending Take it/ }),
  ).toBeVisible();

  expect(await violations(page)).toEqual([]);

  await replay.getByLabel("Speed").selectOption("4");
  await replay.getByRole("button", { name: "Play" }).click();
  await expect(slider).toHaveAttribute("aria-valuetext", /^6 of 6: End/);
  await expect(card(page, "small")).toContainText("Completed");
  await expect(page.locator("[data-cursor]")).toHaveCount(0);
});

test("a node that did not run says why, back to the decision, and a failed one what its expression read", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow(branching);
  const run = await preparation.run(flow, { total: 7 });
  await page.goto(`/runs/${run}?node=tell`);
  const why = page.getByRole("list", { name: "Why it did not run" });
  await expect(why).toContainText("Ask the boss did not run either");
  await expect(why).toContainText("Is it large? took “false”");
  await expect(why).toContainText("$trigger.body.total > 100 = false");
  await why.getByRole("button", { name: "Is it large?" }).click();
  await expect(page.getByRole("complementary", { name: "Is it large?" })).toBeVisible();

  const failing = await preparation.createFlow({
    name: "Fails",
    trigger: { type: "manual" },
    nodes: [step("total", "Total", 0, 0, "$trigger.body.order.total * 2")],
  });
  const failed = await preparation.run(failing, { ordr: { total: 21 } });
  await page.goto(`/runs/${failed}?node=total`);
  await expect(page.getByRole("tab", { name: "Error" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("list", { name: "What the expression read" })).toContainText("$trigger.body");
});

test("a wait says what it waited for and who woke it; a run in progress can be replayed", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Waits",
    trigger: { type: "manual" },
    nodes: [
      step("before", "Before", 0, 0, "1"),
      { id: "ask", type: "wait", name: "Wait for a yes", position: { x: 320, y: 0 }, config: {} },
      step("after", "After", 640, 0, "2"),
    ],
    edges: [
      { source: "before", target: "ask" },
      { source: "ask", target: "after" },
    ],
  });
  const run = await preparation.run(flow, {});
  await page.goto(`/runs/${run}`);
  const replay = page.getByRole("region", { name: "Replay" });
  await expect(card(page, "ask")).toContainText("Waiting for a call");
  await expect(replay).toContainText("Following the run");
  const slider = replay.getByRole("slider");
  await expect(slider).toHaveAttribute("aria-valuetext", /^3 of 3/);
  await expect(slider).toBeEnabled();
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(card(page, "before")).toContainText("Pending");
  await expect(card(page, "ask")).toContainText("Pending");

  await expect(() => preparation.call("POST", `/executions/${run}/nodes/ask/resume`, {})).toPass();
  // It goes on beside the moment shown.
  await expect(page.locator("header").getByText("Completed")).toBeVisible();
  await expect(card(page, "after")).toContainText("Pending");
  await replay.getByRole("button", { name: "Go to the end" }).click();
  await expect(card(page, "after")).toContainText("Completed");
  await card(page, "ask").getByRole("button").click();
  await expect(page.getByRole("list", { name: "What it waited for" })).toContainText(
    /Wait for a yes waited .* for an answer\. A member of the workspace answered\./,
  );
});

test("each item of a loop is shown as it was at the moment", async ({ signedIn: page, preparation }) => {
  const body = { nodes: [step("each", "Each", 0, 0, "$item * 2")], edges: [] };
  const flow = await preparation.createFlow({
    name: "Loops",
    trigger: { type: "manual" },
    nodes: [
      { id: "loop", type: "loop", name: "For all", position: { x: 0, y: 0 }, config: { items: "{{ [1, 2] }}", body } },
    ],
  });
  const run = await preparation.run(flow, {});
  await page.goto(`/runs/${run}?node=loop`);
  await page.getByRole("tab", { name: "Items" }).click();
  const items = page.getByRole("button", { name: /^Item / });
  await expect(items).toHaveText([/Completed/, /Completed/]);
  await expect(page.getByRole("slider", { name: "Position in the run" })).toBeEnabled();
  await page.getByRole("slider", { name: "Position in the run" }).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(card(page, "loop")).toContainText("Running");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(card(page, "loop")).toContainText("1 item");
  // The tab that was chosen stays; of the second item, nothing had begun.
  await expect(items).toHaveCount(2);
  await expect(items.last()).toContainText("Pending");
});

test("a failed run is fixed in the editor with its data, and retried with the fix", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "To be fixed",
    trigger: { type: "manual" },
    nodes: [step("read", "Read", 320, 0, "1"), step("total", "Total", 640, 0, "$trigger.body.order.total * 2")],
    edges: [{ source: "read", target: "total" }],
  });
  const run = await preparation.run(flow, { ordr: { total: 21 } });
  await page.goto(`/runs/${run}`);
  await page.getByRole("link", { name: "Fix in editor" }).click();
  const editor = new EditorPage(page);
  await editor.isStill();
  await expect(editor.run.getByRole("tab", { name: "Error" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("complementary", { name: "Node", exact: true })).toBeVisible();
  await expect(editor.run.getByRole("button", { name: /Retry with the fix/ })).toHaveCount(0);

  const slider = editor.run.getByRole("slider", { name: "Position in the run" });
  await expect(slider).toBeEnabled();
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(editor.node("read")).toContainText("Pending");
  await editor.run.getByRole("button", { name: "Go to the end" }).click();
  await expect(editor.node("read")).toContainText("Completed");

  await editor.write("Transform", "$trigger.body.ordr.total * 2");
  await editor.saved();
  await editor.run.getByRole("button", { name: "Retry with the fix (version 2)" }).click();
  // The next run's drawer takes over the focus of the button, which is gone.
  await expect(editor.run).toBeFocused();
  await expect(editor.node("total")).toContainText("Completed");
  await expect(editor.run.getByRole("region", { name: "Output of Total" })).toContainText("42");
  expect(new URL(page.url()).searchParams.get("run")).toBeNull();
});

test("the retry dialog says what is repeated and with which keys", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({
    name: "Pays",
    trigger: { type: "manual" },
    nodes: [
      {
        id: "pay",
        type: "http-request",
        name: "Pay",
        position: { x: 0, y: 0 },
        config: { method: "POST", url: "http://127.0.0.1:9/nobody", onError: "continue" },
      },
      step("breaks", "Breaks", 320, 0, "$trigger.body.no.x"),
    ],
    edges: [{ source: "pay", target: "breaks" }],
  });
  const run = await preparation.run(flow, {});
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "Run again", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Nothing is sent again: 1 side effect is not repeated.");
  await dialog.getByLabel("Start").selectOption("");
  const pay = dialog.getByRole("list", { name: "Plan" }).getByRole("listitem").filter({ hasText: "Pay" });
  await expect(dialog).toContainText("1 side effect is repeated, 1 with the original’s key.");
  await expect(pay).toContainText("It carries the original's key");
  await dialog.getByRole("radio", { name: /^New keys/ }).check();
  await expect(pay).toContainText("with a new key");
});
