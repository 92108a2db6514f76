import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const ask = {
  id: "ask",
  type: "transform",
  name: "Ask",
  position: { x: 300, y: 0 },
  config: { transform: "({ id: 7 })" },
};
const tell = {
  id: "tell",
  type: "log",
  name: "Tell",
  position: { x: 620, y: 0 },
  config: { message: "{{ $nodes['ask'].output.id }}" },
};

test("nodes copied in one flow are pasted into another with new ids, which their references follow", async ({
  signedIn: page,
  preparation,
}) => {
  const edges = [{ source: "ask", target: "tell" }];
  const from = await preparation.createFlow({ name: "From", trigger: { type: "manual" }, nodes: [ask, tell], edges });
  const to = await preparation.createFlow({
    name: "To",
    trigger: { type: "manual" },
    nodes: [{ ...ask, name: "Own" }],
  });
  const editor = new EditorPage(page);
  await editor.open(from);
  await editor.node("ask").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+c");
  await editor.open(to);
  await editor.node("ask").focus();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(editor.node("ask-2")).toBeFocused();
  const head = page.getByRole("complementary", { name: "Selection" }).locator("header");
  const [title, close] = [head.getByRole("heading"), head.getByRole("button", { name: "Close the panel" })];
  expect((await close.boundingBox())?.x).toBeGreaterThan((await title.boundingBox())?.x ?? 0);
  await editor.select("tell");
  await page.getByRole("radiogroup", { name: "Node view" }).getByText("JSON").click();
  await expect(page.getByRole("textbox", { name: "Config as JSON" })).toContainText("Ask");
  await editor.saved();
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
});

test("an exported flow is imported from its file, and a restored version is as it was", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "There and back", trigger: { type: "manual" }, nodes: [ask] });
  await preparation.changeFlow(flow, { nodes: [{ ...ask, config: { transform: "({ id: 8 })" } }, tell] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Flow versions" }).click();
  await page.getByRole("button", { name: "Compare" }).click();
  const dialog = page.getByRole("dialog", { name: "From version 1 to now" });
  await expect(dialog).toContainText("Transform: ");
  await expect(dialog).toContainText("added");
  await dialog.getByRole("button", { name: "Restore version 1" }).click();
  await expect(editor.node("tell")).toHaveCount(0);
  await expect(page.getByRole("complementary", { name: "Versions" })).toContainText("Current");

  const document = {
    version: "1.0.0",
    flow: { name: "From a file", trigger: { type: "manual" }, nodes: [ask, tell], edges: [] },
  };
  await page.goto("/flows/new");
  // The templates come with the script that takes what is pasted.
  await expect(page.getByRole("link", { name: /Form to CRM/ })).toBeVisible();
  await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(document));
  await page.keyboard.press("ControlOrMeta+v");
  await expect(page.getByRole("heading", { name: "From a file", level: 1 })).toBeAttached();
  await page.goto("/flows/new");
  const buffer = Buffer.from(JSON.stringify(document));
  await page.locator("input[type=file]").setInputFiles({ name: "flow.json", mimeType: "application/json", buffer });
  await expect(page.getByRole("heading", { name: "From a file", level: 1 })).toBeAttached();
  await expect(editor.node("tell")).toBeVisible();
});

test("a flow in the API's form is imported from a file and pasted, with its nodes laid out", async ({
  signedIn: page,
  preparation,
}) => {
  await page.goto("/flows?search=nothing-at-all");
  await page.getByLabel("Exported flow").setInputFiles("examples/order-intake.json");
  await expect(page).toHaveURL(/\/flows\/flow_/);
  const editor = new EditorPage(page);
  await expect(editor.node("check")).toBeVisible();

  const nodes = ["one", "two", "three"].map((id) => ({ id, type: "log", config: { message: id } }));
  const edges = [
    { source: "one", target: "two" },
    { source: "two", target: "three" },
  ];
  await editor.open(await preparation.createFlow({ name: "Into", trigger: { type: "manual" }, nodes: [ask] }));
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    JSON.stringify({ name: "Plain", trigger: { type: "manual" }, nodes, edges }),
  );
  await editor.node("ask").focus();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(editor.node("three")).toBeVisible();
  const places = await Promise.all(
    ["one", "two", "three"].map(async (id) => JSON.stringify(await editor.middleOf(id))),
  );
  expect(new Set(places).size).toBe(3);
  await editor.saved();
});

test("the trigger's card copies a curl command that sends the displayed run's input", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const say = { id: "say", type: "log", name: "Say it", position: { x: 320, y: 0 }, config: { message: "hello" } };
  await editor.open(await preparation.createFlow({ name: "Called", trigger: { type: "webhook" }, nodes: [say] }));
  await editor.runWith({ order: 41 });
  await editor.node("trigger").getByRole("button", { name: "Copy as curl" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`-d '{"order":41}'`);
});

test("a curl command pasted on the canvas becomes the node that sends its request, after the selected one", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const flow = await preparation.createFlow({ name: "From curl", trigger: { type: "manual" }, nodes: [ask] });
  await editor.open(flow);
  await editor.select("ask");
  const command = `curl -o out.json 'https://api.example.com/orders' -H 'Accept: application/json' -d '{"id":7}'`;
  await page.evaluate((text) => navigator.clipboard.writeText(text), command);
  await page.keyboard.press("ControlOrMeta+v");
  await expect(editor.node("http-request")).toContainText("POST api.example.com/orders");
  await editor.saved();
  const { nodes, edges } = await preparation.call("GET", `/flows/${flow}`);
  expect(nodes[1].config).toMatchObject({ method: "POST", headers: { Accept: "application/json" } });
  expect(edges).toMatchObject([{ source: "ask", target: "http-request" }]);
});
