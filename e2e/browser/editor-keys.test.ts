import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const say = { id: "say", type: "log", name: "Say", position: { x: 320, y: 0 }, config: { message: "hi" } };
const flow = { name: "Keys", trigger: { type: "webhook" }, nodes: [say] };

test("Enter presses the focused button, whatever is selected; the switch for going live keeps the focus", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow(flow));
  await editor.select("say");
  const menu = page.getByRole("button", { name: "More about this flow" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Flow settings" })).toBeVisible();
  // Escape is a key of the menu's entries.
  await expect(page.locator("[role=menuitem]:focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  // A menu that closes returns the focus; before that, it would take it from the switch.
  await expect(menu).toBeFocused();
  await editor.live.focus();
  await page.keyboard.press("Space");
  await expect(editor.live).toBeChecked();
  await expect(editor.live).toBeFocused();
});

test("the node types are one tab stop on the way to the cards, with arrow keys between them", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow(flow));
  const { keyboard } = page;
  const list = page.getByRole("toolbar", { name: "Nodes to add" });
  const items = list.getByRole("button");
  await expect(list.getByRole("button", { name: "Slack" })).toBeVisible();
  const search = page.getByRole("textbox", { name: "Search nodes" });
  await search.focus();
  await keyboard.press("Tab");
  await keyboard.press("Tab");
  await expect(items.first()).toBeFocused();
  await keyboard.press("ArrowDown");
  await expect(items.nth(1)).toBeFocused();
  await keyboard.press("ArrowUp");
  await keyboard.press("ArrowUp");
  await expect(items.first()).toBeFocused();
  await keyboard.press("End");
  await expect(items.last()).toBeFocused();
  await expect(items.last()).toBeInViewport();
  // The selection on the canvas stays as it is.
  await expect(page.locator(".react-flow__node.selected")).toHaveCount(0);
  await keyboard.press("Tab");
  await expect(editor.node("trigger")).toBeFocused();
  await keyboard.press("Shift+Tab");
  await expect(items.last()).toBeFocused();

  // What is found later belongs to it, too, and so does what is left.
  await search.fill("log");
  await expect(list.getByRole("button", { name: "Slack" })).toHaveCount(0);
  await keyboard.press("ArrowDown");
  await expect(list.getByRole("button", { name: "Log", exact: true })).toBeFocused();
  await keyboard.press("Enter");
  await expect(editor.node("log")).toBeFocused();
  await search.fill("");
  await expect(items.last()).toBeVisible();
  await expect(list.locator('[tabindex="0"]')).toHaveCount(1);

  // Hidden and shown, the focus stays with it.
  await page.getByRole("button", { name: "Hide node types" }).press("Enter");
  await expect(page.getByRole("button", { name: "Show node types" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(search).toBeFocused();
});

test("Enter that ends the composition of an input method adds no node", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow(flow));
  await page.keyboard.press("a");
  const search = page.getByRole("combobox", { name: "Search nodes" });
  await expect(search).toBeFocused();
  await search.evaluate((field) => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true }));
  });
  await page.keyboard.type("transform");
  await expect(page.getByRole("option", { name: "Transform" })).toBeVisible();
});

test("a note shows its size while it is resized, and a wire loses its mark when a dragged node leaves it", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const note = { id: "note:note", x: 0, y: 300, width: 240, height: 140, text: "hello", color: "yellow" };
  const far = { ...say, id: "far", position: { x: 800, y: 0 } };
  const edges = [{ source: "say", target: "far" }];
  const settings = { canvas: { notes: [note] } };
  await editor.open(await preparation.createFlow({ ...flow, nodes: [say, far], edges, settings }));
  const card = editor.node("note:note");
  await card.click();
  const widthOf = async () => (await card.boundingBox())?.width ?? 0;
  const before = await widthOf();
  await card.locator(".react-flow__resize-control.handle.bottom.right").hover();
  await page.mouse.down();
  const { x, y, width, height } = (await card.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width + 80, y + height + 80, { steps: 4 });
  await expect.poll(widthOf).toBeGreaterThan(before + 20);
  await page.mouse.up();
  await expect.poll(widthOf).toBeGreaterThan(before + 20);

  const wire = page.locator('.react-flow__edge[data-id="say→far"]');
  const drag = (type: string) =>
    wire.locator(".react-flow__edge-interaction").evaluate((path, name) => {
      const { left, top, width: wide, height: high } = path.getBoundingClientRect();
      const dataTransfer = new DataTransfer();
      dataTransfer.setData("application/x-millrace-node-type", "log");
      const at = { clientX: left + wide / 2, clientY: top + high / 2 };
      path.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer, ...at }));
    }, type);
  await drag("dragover");
  await expect(wire).toHaveClass(/dropping/);
  await drag("dragleave");
  await expect(wire).not.toHaveClass(/dropping/);
});

test("a panel that the menu opens takes the focus, and Escape gives it back to a card", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Panels", trigger: { type: "manual" }, nodes: [] }));
  const entries = { "Flow settings": "Flow settings", "Flow problems": "Problems", "Flow versions": "Versions" };
  for (const [entry, panel] of Object.entries(entries)) {
    await page.getByRole("button", { name: "More about this flow" }).press("Enter");
    await page.getByRole("menuitem", { name: entry }).press("Enter");
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(page.getByRole("complementary", { name: panel, exact: true })).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await expect(page.getByRole("complementary").locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(editor.node("trigger")).toBeFocused();
});
