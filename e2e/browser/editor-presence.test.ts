import type { Page } from "@playwright/test";
import { EditorPage } from "./editor-page.ts";
import { joinAs } from "./join-as.ts";
import { expect, test } from "./signed-in.ts";

const say = (id: string, x: number, y = 0) => ({
  id,
  type: "log",
  name: `Say ${id}`,
  position: { x, y },
  config: { message: "before" },
});
const inLoop = {
  id: "each",
  type: "loop",
  name: "Each order",
  position: { x: 4_000, y: 1_200 },
  config: { items: "$trigger.body.items", body: { nodes: [say("within", 0)], edges: [] } },
};

const here = (page: Page, names: string | RegExp) =>
  page.getByRole("button", { name: names instanceof RegExp ? names : `Also here: ${names}` });

/** Follows "Editor". Retries, because their connection may be lost for a moment, which closes the menu. */
async function followEditor(page: Page): Promise<void> {
  const follow = page.getByRole("menuitem", { name: "Follow Editor" });
  await expect(async () => {
    if (!(await follow.isVisible())) await here(page, "Editor").click({ timeout: 5_000 });
    await follow.click({ timeout: 5_000 });
  }).toPass();
}

const outline = (page: Page, id: string) => page.locator(`[data-presence="${id}"]`);

test("two people in a flow see each other, what they select and save, follow one another, and leave", async ({
  signedIn: page,
  preparation,
  browser,
}) => {
  const guest = await joinAs(page, browser, "Editor");
  const flow = await preparation.createFlow({
    name: "Shared",
    trigger: { type: "manual" },
    nodes: [say("left", 300), say("right", 620), say("far", 4_000, 900), inLoop],
  });
  const [ours, theirs] = [new EditorPage(page), new EditorPage(guest)];
  await ours.open(flow);
  await expect(page.getByRole("button", { name: /^Also here/ })).toBeHidden();
  await theirs.open(flow);
  await expect(here(page, "Editor")).toBeVisible();
  await expect(here(guest, /^Also here: /)).toBeVisible();
  await expect(page.getByRole("status", { name: "Presence" })).toHaveText("Also here: Editor");

  // What is selected, with the name of who did.
  await theirs.select("left");
  await expect(outline(page, "left")).toHaveText("Editor");
  await expect(outline(guest, "left")).toBeHidden();
  await here(page, "Editor").click();
  await expect(page.getByRole("menuitem", { name: "Follow Editor" })).toContainText("On Say left");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menuitem", { name: "Follow Editor" })).toBeHidden();

  // A saved edit, without a reload; then it is quiet.
  await theirs.write("Message", "from there");
  await theirs.saved();
  await expect(ours.node("left")).toContainText("from there");
  await expect(page.getByText("Changes that others save appear here at once.")).toBeVisible();

  // Following: the view goes where they are, also into a loop's body, until the reader moves it.
  await followEditor(page);
  await expect(page.getByText("Following Editor")).toBeVisible();
  await theirs.page.goto(`/flows/${flow}?node=far`);
  await expect(here(guest, /^Also here: /)).toBeVisible();
  await expect(here(page, "Editor")).toBeVisible();
  // A reload is a new visit.
  if (!(await page.getByText("Following Editor").isVisible())) await followEditor(page);
  await expect(outline(page, "far")).toBeInViewport();
  await theirs.select("each");
  await theirs.node("each").dblclick();
  await expect(theirs.level).toContainText("Each order");
  // Nothing is selected there yet.
  await expect(ours.level).toContainText("Each order");
  await here(page, "Editor").click();
  await expect(page.getByRole("menuitem", { name: "Stop following Editor" })).toContainText("In Each order");
  await page.keyboard.press("Escape");
  await theirs.select("within");
  await expect(outline(page, "within")).toBeInViewport();
  await theirs.page.keyboard.press("ControlOrMeta+ArrowUp");
  await expect(ours.level).toBeHidden();
  await expect(page.getByText("Following Editor")).toBeVisible();
  // Going elsewhere oneself ends it too.
  await theirs.node("each").dblclick();
  await expect(ours.level).toContainText("Each order");
  await ours.level.getByRole("button", { name: "Shared" }).click();
  await expect(page.getByText("Following Editor")).toBeHidden();
  await expect(ours.level).toBeHidden();
  await here(page, "Editor").click();
  await page.getByRole("menuitem", { name: "Follow Editor" }).click();
  await expect(ours.level).toContainText("Each order");
  await page.locator(".react-flow__pane").click({ position: { x: 20, y: 300 } });
  await expect(page.getByText("Following Editor")).toBeHidden();

  // Offline, nothing is said of others; back again, they are there.
  await page.context().setOffline(true);
  await expect(page.getByRole("button", { name: /^Also here/ })).toBeHidden();
  await page.context().setOffline(false);
  await expect(here(page, "Editor")).toBeVisible();

  // Leaving is seen at once: long before a lease would end.
  await guest.goto("/flows");
  await expect(page.getByRole("button", { name: /^Also here/ })).toBeHidden({ timeout: 5_000 });
  await guest.context().close();
});

test("a viewer sees who is there and what is saved, and is seen", async ({ signedIn: page, preparation, browser }) => {
  const guest = await joinAs(page, browser, "Viewer");
  const flow = await preparation.createFlow({
    name: "Looked at",
    trigger: { type: "manual" },
    nodes: [say("left", 300), say("right", 620), { ...inLoop, position: { x: 940, y: 0 } }],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await guest.goto(`/flows/${flow}`);
  await expect(here(page, "Viewer")).toBeVisible();
  await expect(here(guest, /^Also here: /)).toBeVisible();
  await guest.locator('.react-flow__node[data-id="right"]').click();
  await expect(outline(page, "right")).toHaveText("Viewer");
  await editor.select("left");
  await expect(outline(guest, "left")).toBeVisible();
  await editor.write("Message", "seen at once");
  await editor.saved();
  await expect(guest.locator('.react-flow__node[data-id="left"]')).toContainText("seen at once");
  // Following goes into a loop's body and out again, without anything selected in it.
  await here(guest, /^Also here: /).click();
  await guest.getByRole("menuitem", { name: /^Follow / }).click();
  await editor.select("each");
  await editor.node("each").dblclick();
  const level = guest.getByRole("navigation", { name: "Level" });
  await expect(level).toContainText("Each order");
  await page.keyboard.press("ControlOrMeta+ArrowUp");
  await expect(level).toBeHidden();
  await expect(guest.getByText(/^Following /)).toBeVisible();
  // A browser that is gone without a word is missed when its lease ends.
  await guest.context().close();
  await expect(page.getByRole("button", { name: /^Also here/ })).toBeHidden({ timeout: 30_000 });
});

test("one's own second tab is shown as such", async ({ signedIn: page, preparation, context }) => {
  const nodes = [say("left", 300)];
  const flow = await preparation.createFlow({ name: "Twice", trigger: { type: "manual" }, nodes });
  const [ours, other] = [new EditorPage(page), new EditorPage(await context.newPage())];
  await ours.open(flow);
  await other.open(flow);
  await expect(here(other.page, "You, in another tab")).toBeVisible();
  await other.page.goto("/flows");
  await expect(here(page, "You, in another tab")).toBeHidden();
});
