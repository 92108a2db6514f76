import type { Locator } from "@playwright/test";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const say = (id: string, name: string, x: number, y = 0) => ({
  id,
  type: "log",
  name,
  position: { x, y },
  config: { message: "hello" },
});

const runsFromTheRight = async (...all: Locator[]) => {
  for (const each of all) await expect(each.first()).toHaveCSS("direction", "rtl");
};

test("names and texts in Hebrew and Arabic run from the right, with their punctuation at their end", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [say("first", "שם חדש!", 320), say("up", "למעלה!", 660, -90), say("down", "למטה!", 660, 90)];
  const text = "# لماذا؟\n\nلأن **العميل** طلب ذلك.\n\n- שתיים!";
  const note = { id: "note:1", x: 320, y: 180, width: 260, height: 160, color: "blue", text };
  const groups = [{ id: "group:1", name: "קבוצה (1)!", nodeIds: ["up", "down"], collapsed: false }];
  const flow = await preparation.createFlow({
    name: "תהליך!",
    description: "תיאור התהליך.",
    trigger: { type: "manual" },
    nodes: [say("first", "שם ישן!", 320), ...nodes.slice(1)],
    settings: { canvas: { notes: [note], groups } },
  });
  await preparation.changeFlow(flow, { nodes });
  await preparation.call("POST", `/flows/${flow}/tests`, { name: "בדיקה: עובר!", trigger: { body: {} }, expect: {} });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await runsFromTheRight(
    page.getByRole("textbox", { name: "Flow name" }),
    page.getByRole("textbox", { name: "Group name" }),
    editor.node("first").getByText("שם חדש!"),
    editor.node("note:1").getByText("שתיים!"),
  );
  const open = async (entry: string) => {
    await page.getByRole("button", { name: "More about this flow" }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await open("Flow settings");
  await runsFromTheRight(page.getByRole("textbox", { name: "Description" }));
  await open("Flow tests");
  await runsFromTheRight(page.getByRole("complementary", { name: "Tests" }).getByText("בדיקה: עובר!"));
  await open("Flow versions");
  await page.getByRole("button", { name: "Compare version 1" }).click();
  const dialog = page.getByRole("dialog", { name: "From version 1 to now" });
  await runsFromTheRight(dialog.locator("bdi", { hasText: "שם ישן!" }), dialog.locator("bdi", { hasText: "שם חדש!" }));
  // Before and after stand in the order of reading.
  const [before, after] = [dialog.getByText('"שם ישן!"'), dialog.getByText('"שם חדש!"')];
  expect((await before.boundingBox())?.x).toBeLessThan((await after.boundingBox())?.x ?? 0);
});

test("wires are announced by the names of the cards that they connect, with the branch", async ({
  signedIn: page,
  preparation,
}) => {
  const check = {
    id: "n1",
    type: "if-else",
    name: "Check the total",
    position: { x: 320, y: 0 },
    config: { condition: "true" },
  };
  const flow = await preparation.createFlow({
    name: "Wired",
    trigger: { type: "manual" },
    nodes: [check, say("n2", "Ship it", 660)],
    edges: [{ source: "n1", sourceHandle: "true", target: "n2" }],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  const wires = page.locator(".react-flow__edge");
  const names = ["Wire from Manual start to Check the total", "Wire from Check the total (true) to Ship it"];
  const announced = () => wires.evaluateAll((all) => all.map((wire) => wire.getAttribute("aria-label")).sort());
  await expect.poll(announced).toEqual(names.toSorted());
  await editor.select("n2");
  await page.getByRole("textbox", { name: "Node name" }).fill("Send it");
  await expect.poll(announced).toContain("Wire from Check the total (true) to Send it");
  await editor.saved();
  const run = await preparation.run(flow, {});
  await page.goto(`/runs/${run}`);
  await expect.poll(announced).toEqual(names.toSorted().map((name) => name.replace("Ship", "Send")));
});

test("a flow's page has one main heading: while it loads, and with a note that has a title", async ({
  signedIn: page,
  preparation,
}) => {
  const note = { id: "note:1", x: 320, y: 180, width: 260, height: 160, color: "blue", text: "# Why\n\n## And how" };
  const flow = await preparation.createFlow({
    name: "Headed",
    trigger: { type: "manual" },
    nodes: [say("first", "First", 320)],
    settings: { canvas: { notes: [note] } },
  });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/v1/flows/*", async (route) => {
    await released;
    await route.continue();
  });
  const editor = new EditorPage(page);
  await page.goto(`/flows/${flow}`);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveCount(1);
  release();
  await editor.isStill();
  await expect(editor.node("note:1").getByRole("heading", { name: "Why", level: 2 })).toBeVisible();
  await expect(editor.node("note:1").getByRole("heading", { name: "And how", level: 3 })).toBeVisible();
  await expect(heading).toHaveCount(1);
  await expect(heading).toHaveText("Headed");
});
