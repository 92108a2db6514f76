import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const say = (id: string, x: number, y: number) => ({ id, type: "log", name: id, position: { x, y } });
const nodes = [say("first", 0, 0), say("up", 340, -80), say("down", 340, 80), say("last", 680, 0)];
const edges = ["up", "down"].flatMap((middle) => [
  { source: "first", target: middle },
  { source: middle, target: "last" },
]);

test("nodes are grouped, collapsed to one card with their wires, moved, copied, deleted and restored", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const { keyboard, mouse } = page;
  await editor.open(await preparation.createFlow({ name: "Groups", trigger: { type: "manual" }, nodes, edges }));
  const [up, down] = [await editor.node("up").boundingBox(), await editor.node("down").boundingBox()];
  if (up === null || down === null) throw new Error("the nodes are not on the canvas");
  await keyboard.down("Shift");
  await mouse.move(up.x - 12, up.y - 12);
  await mouse.down();
  await mouse.move(down.x + down.width + 8, down.y + down.height + 8, { steps: 5 });
  await mouse.up();
  await keyboard.up("Shift");
  await keyboard.press("ControlOrMeta+g");
  await keyboard.type("Both ways");
  await keyboard.press("Enter");
  const group = page.getByRole("group", { name: "Group Both ways" });
  await expect(group).toBeFocused();

  await page.getByRole("button", { name: "Collapse the group Both ways" }).click();
  await expect(editor.node("up")).toHaveCount(0);
  await expect(group).toContainText("2 nodes");
  await expect(page.locator('.react-flow__edge[data-id="first→up"]')).toHaveCount(1);
  const before = await group.boundingBox();
  await group.getByText("2 nodes").hover();
  await mouse.down();
  await mouse.move((before?.x ?? 0) + 200, (before?.y ?? 0) + 160, { steps: 4 });
  await mouse.up();
  await page.getByRole("button", { name: "Expand the group Both ways" }).click();
  await expect.poll(async () => (await editor.node("up").boundingBox())?.y).toBeGreaterThan(up.y + 60);

  await group.click({ position: { x: 150, y: 10 } });
  await keyboard.press("ControlOrMeta+c");
  await keyboard.press("ControlOrMeta+v");
  await expect(page.getByRole("group", { name: "Group Both ways" })).toHaveCount(2);
  await expect(editor.node("up-2")).toHaveCount(1);
  await keyboard.press("Delete");
  await expect(editor.node("up-2")).toHaveCount(0);
  await expect(editor.node("up")).toHaveCount(1);
  await keyboard.press("ControlOrMeta+z");
  await expect(editor.node("up-2")).toHaveCount(1);
  await editor.saved();
});

test("a note is written, coloured and duplicated by keyboard and mouse", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Notes", trigger: { type: "manual" }, nodes, edges }));
  await editor.node("first").focus();
  await page.keyboard.press("Shift+n");
  await page.keyboard.type("Ask Ann first");
  await page.keyboard.press("Escape");
  const note = page.getByRole("group", { name: "Note: Ask Ann first" });
  await expect(note).toBeFocused();
  await page.getByRole("button", { name: "Make the note blue" }).click();
  await note.focus();
  await page.keyboard.press("ControlOrMeta+d");
  await expect(note).toHaveCount(2);
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.type(", twice");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("group", { name: "Note: Ask Ann first, twice" })).toBeFocused();
  await editor.saved();
});

test("a note's Markdown is shown, and neither HTML nor pictures in it are", async ({ signedIn: page, preparation }) => {
  const text =
    "# Why\n\n- **Ask** [Ann](https://ann.example/)\n- <b>raw</b> ![logo](https://ann.example/logo.png) [x](javascript:alert(1))";
  const note = { id: "why", x: 0, y: 200, width: 260, height: 160, color: "blue", text };
  const settings = { canvas: { notes: [note] } };
  const editor = new EditorPage(page);
  await editor.open(
    await preparation.createFlow({ name: "Notes", trigger: { type: "manual" }, nodes, edges, settings }),
  );
  const card = page.getByRole("group", { name: /^Note: # Why/ });
  await expect(card.getByRole("heading", { name: "Why" })).toBeVisible();
  await expect(card.locator("strong")).toHaveText("Ask");
  await expect(card.getByRole("link", { name: "Ann" })).toHaveAttribute("rel", "noopener noreferrer");
  await expect(card.getByText("<b>raw</b>")).toBeVisible();
  await expect(card.locator("img, a[href^=javascript]")).toHaveCount(0);
  await expect(card.getByText("logo")).toBeVisible();
});

test("cards are reached by keyboard from a note and from a group, also a collapsed one", async ({
  signedIn: page,
  preparation,
}) => {
  const note = { id: "note:why", x: 0, y: 260, width: 240, height: 140, color: "blue", text: "Why" };
  const group = { id: "group:both", name: "Both ways", nodeIds: ["up", "down"], collapsed: true };
  const settings = { canvas: { notes: [note], groups: [group] } };
  const editor = new EditorPage(page);
  const { keyboard } = page;
  await editor.open(
    await preparation.createFlow({ name: "Grouped", trigger: { type: "manual" }, nodes, edges, settings }),
  );
  const trigger = editor.node("trigger");
  await trigger.focus();
  await keyboard.press("Tab");
  await expect(editor.node("group:both")).toBeFocused();
  // The card comes before what is drawn behind it, and is there while something else is selected.
  await keyboard.press("Shift+Tab");
  await expect(trigger).toBeFocused();
  for (const step of ["first", "group:both", "last"]) {
    await keyboard.press("ArrowRight");
    await expect(editor.node(step)).toBeFocused();
  }
  await keyboard.press("ArrowLeft");
  await expect(editor.node("group:both")).toBeFocused();
  await editor.node("note:why").focus();
  await keyboard.press("ArrowUp");
  await expect(editor.node("first")).toBeFocused();
});
