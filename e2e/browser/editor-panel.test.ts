import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const say = { id: "say", type: "log", name: "Say it", position: { x: 320, y: 0 }, config: { message: "hello" } };

test("a card opens its panel when it is dropped, not during the drag, and the URL names its node", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Moved", trigger: { type: "manual" }, nodes: [say] }));
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  const { x, y } = await editor.middleOf("say");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 120, { steps: 6 });
  await expect.poll(async () => (await editor.middleOf("say")).y).toBeGreaterThan(y + 60);
  await expect(panel).toBeHidden();
  await page.mouse.up();
  await expect(panel.getByLabel("Node name")).toHaveValue("Say it");
  await expect(page).toHaveURL(/\?node=say$/);
  await editor.saved();

  await page.reload();
  await expect(panel.getByLabel("Node name")).toHaveValue("Say it");
  await panel.getByRole("button", { name: "Close the panel" }).click();
  await expect(page).not.toHaveURL(/node=/);
});

test("the trigger's card says what callers currently get, and shows the path that they call", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Called", trigger: { type: "webhook" }, nodes: [say] }));
  const card = editor.node("trigger");
  await expect(card).toContainText("POST runs this draft");
  const url = (await card.locator("[title^=http]").getAttribute("title")) ?? "";
  await expect(card).toContainText(new URL(url).pathname);
  await editor.live.click();
  await expect(card).toContainText(/POST runs version \d/);
  await editor.live.click();
  await expect(card).toContainText("POST is refused");
});

test("a failed node opens on its error, shown on its card too, and its retry is listed as one", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Fails ${Date.now()}`;
  const fail = { ...say, id: "fail", type: "transform", name: "Fail", config: { transform: "$trigger.body.a.b" } };
  const flow = await preparation.createFlow({ name, trigger: { type: "webhook" }, nodes: [fail] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("fail");
  await editor.runWith({});
  await expect(editor.node("fail")).toContainText("Failed");
  await expect(editor.node("fail")).toHaveAccessibleDescription(/Failed/);
  await expect(editor.run.getByRole("tab", { name: "Error" })).toHaveAttribute("aria-selected", "true");
  await editor.run.getByRole("tab", { name: "Output" }).click();
  await expect(editor.run).toContainText("No output.");

  const run = await preparation.run(flow, {});
  await preparation.call("POST", `/executions/${run}/retry`, {});
  await page.goto(`/runs?flow=${flow}`);
  await expect(page.getByRole("row").filter({ hasText: name }).filter({ hasText: "Retry" })).toHaveCount(1);
});

test("Ctrl+Enter in a field asks for a run's input, and leaves the text as it is", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(
    await preparation.createFlow({ name: "Run while typing", trigger: { type: "manual" }, nodes: [say] }),
  );
  await editor.select("say");
  await editor.write("Message", "good day");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("dialog", { name: "Run Run while typing" })).toBeVisible();
  await page.keyboard.press("Escape");
  const message = page.getByRole("textbox", { name: "Message" });
  await expect(message).toHaveText("good day");
  await expect(message.locator(".cm-line")).toHaveCount(1);

  const name = page.getByLabel("Node name");
  await name.fill("Say good day");
  await name.press("ControlOrMeta+Enter");
  await expect(page.getByRole("dialog", { name: "Run Run while typing" })).toBeVisible();
});

test("a node whose name is deleted gets that of its type, and Enter and closing the panel return to its card", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [{ id: "say", type: "log", name: "Say it", position: { x: 320, y: 0 }, config: { message: "hello" } }];
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Named", trigger: { type: "manual" }, nodes }));
  await editor.select("say");
  const name = page.getByLabel("Node name");
  await name.fill("Said");
  await name.press("Enter");
  await expect(editor.node("say")).toBeFocused();
  await expect(editor.node("say")).toContainText("Said");
  await name.fill("");
  await name.press("Enter");
  await expect(editor.node("say")).toContainText("Log");
  await editor.saved();
  await page.getByRole("button", { name: "Close the panel" }).press("Enter");
  await expect(name).toBeHidden();
  await expect(editor.node("say")).toBeFocused();
});
