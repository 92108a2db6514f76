import type { Page } from "@playwright/test";
import { EditorPage } from "./editor-page.ts";
import { orderIntake, ratesService } from "./rates-service.ts";
import { expect, test } from "./signed-in.ts";

/** Adds a node after the focused one, which stays where it is. */
async function add(page: Page, search: string, id: string): Promise<void> {
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Add a node" }).waitFor();
  await page.keyboard.type(search);
  await page.keyboard.press("Enter");
  await expect(new EditorPage(page).node(id)).toBeFocused();
}

/** Enters the panel, tabs to a field, fills it, and returns to the card. */
async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: label, exact: true });
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-side-pane] :focus")).toBeVisible();
  for (
    let steps = 0;
    steps < 12 && !(await field.evaluate((element) => element === document.activeElement));
    steps += 1
  ) {
    await page.keyboard.press("Tab");
  }
  await expect(field).toBeFocused();
  await page.keyboard.insertText(text);
  // The first Escape closes the completions, if they are open.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(page.locator(".react-flow__node:focus")).toBeVisible({ timeout: 500 });
  }).toPass();
}

test("the README's flow is drawn, wired, named and run by keyboard alone", async ({ signedIn: page }) => {
  const rates = await ratesService();
  const editor = new EditorPage(page);
  const { keyboard } = page;
  await editor.begin();
  await keyboard.press("ArrowRight");
  await add(page, "if", "if-else");
  await fill(page, "Condition", orderIntake.condition);
  await add(page, "http", "http-request");
  await fill(page, "URL", rates.url);
  await add(page, "transform", "transform");
  await fill(page, "Transform", orderIntake.total);
  await keyboard.press("F2");
  await keyboard.type("Work out the total");
  await keyboard.press("Escape");
  await expect(editor.node("transform")).toBeFocused();
  await add(page, "log", "log");
  await fill(page, "Message", orderIntake.note);
  for (const before of ["transform", "http-request", "if-else"]) {
    await keyboard.press("ArrowLeft");
    await expect(editor.node(before)).toBeFocused();
  }
  await add(page, "respond", "respond");
  await expect(page.locator('.react-flow__edge[data-id="if-else.false→respond"]')).toHaveCount(1);

  await keyboard.press("ControlOrMeta+Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Input")).toBeFocused();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.insertText(JSON.stringify(orderIntake.order));
  await keyboard.press("ControlOrMeta+Enter");
  await expect(editor.run).toContainText("Completed");
  await keyboard.press("ArrowLeft");
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowRight");
  await expect(editor.node("transform")).toBeFocused();
  await expect(editor.run.getByRole("region", { name: "Output of Work out the total" })).toContainText("23.3");
  rates.close();
});

test("deleting within a chain joins what is left, and arrows go on from there", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const nodes = ["a", "b", "c"].map((id, index) => ({
    id,
    type: "log",
    name: id,
    position: { x: 320 * (index + 1), y: 0 },
  }));
  const edges = [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ];
  const flow = await preparation.createFlow({ name: "Chain", trigger: { type: "manual" }, nodes, edges });
  await editor.open(flow);
  await editor.select("b");
  await page.keyboard.press("Delete");
  await expect(editor.node("b")).toHaveCount(0);
  await expect(page.locator(".react-flow__edge")).toHaveCount(2);
  await page.keyboard.press("ArrowRight");
  await expect(editor.node("a")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(editor.node("c")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(editor.node("b")).toBeVisible();
  await editor.saved();
  const stored = await preparation.call("GET", `/flows/${flow}`);
  expect(stored.edges.map(({ source, target }: { source: string; target: string }) => `${source} ${target}`)).toEqual([
    "a b",
    "b c",
  ]);
});

test("one wire of several is selected and deleted by keyboard, and a note is resized", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const { keyboard } = page;
  const nodes = ["a", "b", "c"].map((id, index) => ({
    id,
    type: "log",
    name: id,
    position: { x: index === 0 ? 320 : 640, y: 160 * index },
  }));
  const edges = ["b", "c"].map((target) => ({ source: "a", target }));
  const flow = await preparation.createFlow({ name: "Two wires", trigger: { type: "manual" }, nodes, edges });
  await editor.open(flow);
  await editor.node("trigger").focus();
  await keyboard.press("ArrowRight");
  await expect(editor.node("a")).toBeFocused();
  for (const to of ["b", "c"]) {
    await keyboard.press("w");
    await expect(page.locator(".react-flow__edge.selected")).toHaveAttribute("data-id", `a→${to}`);
    await expect(page.getByText(`The wire from “a” to “${to}” is selected.`)).toBeVisible();
  }
  await keyboard.press("Delete");
  await expect(page.locator('.react-flow__edge[data-id="a→c"]')).toHaveCount(0);
  await keyboard.press("ArrowRight");
  await expect(editor.node("b")).toBeFocused();

  await keyboard.press("Shift+N");
  await keyboard.type("By hand");
  await keyboard.press("Escape");
  await keyboard.press("ControlOrMeta+Shift+ArrowRight");
  await keyboard.press("ControlOrMeta+Shift+ArrowUp");
  await editor.saved();
  const stored = await preparation.call("GET", `/flows/${flow}`);
  expect(stored.edges).toMatchObject([{ source: "a", target: "b" }]);
  expect(stored.settings.canvas.notes).toMatchObject([{ text: "By hand", width: 260, height: 120 }]);
});

test("keys act on the focused card, also when nothing is selected", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  const say = { type: "log", config: { message: "hello" } };
  const nodes = [
    { ...say, id: "first", position: { x: 320, y: 0 } },
    { ...say, id: "second", position: { x: 320, y: 160 } },
  ];
  await editor.open(await preparation.createFlow({ name: "Focused", trigger: { type: "manual" }, nodes }));
  const { keyboard } = page;
  await editor.node("first").focus();
  await keyboard.press("ControlOrMeta+c");
  await keyboard.press("Escape");
  await keyboard.press("ControlOrMeta+v");
  await expect(editor.node("first-2")).toBeVisible();
  await keyboard.press("Escape");
  await editor.node("second").focus();
  await keyboard.press("Delete");
  await expect(editor.node("second")).toHaveCount(0);
  await expect(editor.node("first-2")).toBeVisible();

  await editor.node("trigger").focus();
  await keyboard.press("ArrowRight");
  await expect(editor.node("first")).toBeFocused();
  await keyboard.press("Escape");
  await editor.node("trigger").focus();
  await keyboard.press("Shift+A");
  await expect(page.getByRole("dialog", { name: "Add a node" })).toBeVisible();
});
