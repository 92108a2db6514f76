// Editing what is live: nothing that callers get changes until it is published.
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const answer = (text: string) => ({
  id: "answer",
  type: "transform",
  name: "Answer",
  position: { x: 320, y: 0 },
  config: { transform: `'${text}'` },
});
const other = { ...answer("beside"), id: "beside", name: "Beside", position: { x: 320, y: 200 } };
const liveFlow = (name: string, nodes: object[] = [answer("first")]) => ({
  name,
  status: "active",
  trigger: { type: "webhook" },
  nodes,
});

test("changes of a live flow are reviewed and published: until then its callers get what they got before", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow(liveFlow("Shop"));
  const { trigger } = await preparation.call("GET", `/flows/${flow}`);
  const called = async () => await (await page.request.post(trigger.config.url, { data: {} })).json();
  const editor = new EditorPage(page);
  await editor.open(flow);
  await expect(editor.live).toBeChecked();
  await expect(editor.unpublished).toHaveCount(0);
  await editor.select("answer");
  const field = page.getByRole("textbox", { name: "Transform", exact: true });
  const before = await field.boundingBox();
  await editor.write("Transform", "'second'");
  await expect(editor.unpublished).toContainText("1 unpublished change");
  // The bar that appears with the first change does not move the field that is typed in.
  expect((await field.boundingBox())?.y).toBe(before?.y);
  await expect(editor.unpublished).toContainText("Callers still get version 1.");
  await editor.saved();
  expect(await called()).toBe("first");

  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  await expect(editor.run.getByRole("region", { name: "Output of Answer" })).toContainText("second");
  expect(await called()).toBe("first");

  await page.reload();
  await editor.isStill();
  await expect(editor.node("answer")).toContainText("second");
  await editor.unpublished.getByRole("button", { name: "Review" }).click();
  const review = page.getByRole("dialog", { name: "1 unpublished change" });
  await expect(review).toContainText("Transform: ");
  await expect(review).toContainText("No problems found");
  await review.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish the changes" });
  await expect(dialog.getByLabel("Summary")).toHaveValue("Answer: transform");
  await dialog.getByLabel("Summary").fill("Answers second");
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Version 2 is published.")).toBeVisible();
  await expect(editor.unpublished).toHaveCount(0);
  // The bar and its buttons are gone; the focus is not.
  await expect(editor.node("answer")).toBeFocused();
  expect(await called()).toBe("second");

  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Flow versions" }).click();
  const versions = page.getByRole("complementary", { name: "Versions" });
  await expect(versions.getByRole("listitem").first()).toContainText("Answers second");
  await expect(versions.getByRole("listitem").first()).toContainText("Live");
});

test("unpublished changes are discarded, and undo brings them back", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow(liveFlow("Discards"));
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("answer");
  await editor.write("Transform", "'never mind'");
  await editor.unpublished.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect(editor.unpublished).toHaveCount(0);
  await expect(editor.node("answer")).toBeFocused();
  await expect(editor.node("answer")).toContainText("first");
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await expect(editor.node("answer")).toContainText("never mind");
  await expect(editor.unpublished).toContainText("1 unpublished change");
});

test("a version that was made meanwhile is joined before anything is published; where both changed the same, one chooses", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow(liveFlow("Two hands", [answer("first"), other]));
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("answer");
  await editor.write("Transform", "'mine'");
  await expect(editor.unpublished).toBeVisible();
  await editor.saved();
  await preparation.changeFlow(flow, { nodes: [answer("theirs"), { ...other, name: "Renamed" }] });

  const publish = async () => {
    await editor.unpublished.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish the changes" });
    await dialog.getByRole("button", { name: "Publish" }).click();
    await expect(dialog).toBeHidden();
  };
  await publish();
  await page.getByRole("button", { name: "Compare and choose" }).click();
  const choice = page.getByRole("dialog", { name: "Conflicting changes" });
  await expect(choice).toContainText("'theirs'");
  await choice.getByRole("button", { name: "Use mine" }).click();
  await editor.saved();
  await publish();
  await expect(page.getByText("Version 3 is published.")).toBeVisible();
  const { nodes } = await preparation.call("GET", `/flows/${flow}`);
  expect(nodes).toMatchObject([{ config: { transform: "'mine'" } }, { name: "Renamed" }]);
});

test("a note on a live flow is stored at once, and is no change to publish", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow(liveFlow("Notes"));
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("answer").focus();
  await page.keyboard.press("Shift+n");
  await page.keyboard.type("Ask Ada first");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("group", { name: "Note: Ask Ada first" })).toBeFocused();
  await editor.saved();
  await expect
    .poll(async () => JSON.stringify((await preparation.call("GET", `/flows/${flow}`)).settings ?? null), {
      timeout: 20_000,
    })
    .toContain("Ask Ada first");
  await expect(editor.unpublished).toHaveCount(0);
  expect((await preparation.call("GET", `/flows/${flow}`)).version).toBe(1);
});
