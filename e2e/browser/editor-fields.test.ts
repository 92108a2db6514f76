import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const ask = {
  id: "ask",
  type: "transform",
  name: "Ask",
  position: { x: 320, y: 0 },
  config: { transform: "({ total: 12.5, retries: 3 })" },
};
const tell = { id: "tell", type: "log", name: "Tell", position: { x: 660, y: 0 }, config: { message: "Sum " } };
const pause = { id: "pause", type: "delay", name: "Pause", position: { x: 1000, y: 0 }, config: { ms: 1 } };
const call = { id: "call", type: "http-request", name: "Call", position: { x: 320, y: 0 } };
const nodes = [ask, tell, pause];
const edges = [
  { source: "ask", target: "tell" },
  { source: "tell", target: "pause" },
];

test("a path of an earlier node's data is dragged into fields, and each shows its value", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Drag", trigger: { type: "manual" }, nodes, edges }));
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  const line = (name: string) => panel.getByRole("region", { name: "Data of Ask" }).getByText(name);

  await editor.select("tell");
  const message = panel.getByRole("textbox", { name: "Message", exact: true });
  await line("total").dragTo(message);
  await expect(message).toHaveText("Sum {{ Ask.output.total }}");
  await expect(panel).toContainText('"Sum 12.5"');

  await editor.select("pause");
  // Only the nearest node's output is read at once: others may be large.
  await panel.getByRole("button", { name: "Show data of Ask" }).click();
  await line("retries").dragTo(panel.locator('[data-field="ms"] input'));
  await expect(panel.getByRole("textbox", { name: "Duration", exact: true })).toHaveText("{{ Ask.output.retries }}");
  await expect(panel.locator('[data-field="ms"]')).toContainText("number");
  await editor.saved();
});

test("available data says that a node failed, and offers its error", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  const broken = { ...pause, config: {} };
  const failing = { name: "Fails", trigger: { type: "manual" }, nodes: [broken, { ...tell, config: {} }] };
  const caught = [{ source: "pause", sourceHandle: "error", target: "tell" }];
  await editor.open(await preparation.createFlow({ ...failing, edges: caught }));
  await editor.runWith({});
  await editor.select("pause");
  const form = page.getByRole("complementary", { name: "Node", exact: true });
  await expect(form.locator('[data-field="ms"]')).toContainText("Required, unless Until is given");
  await editor.select("tell");
  const data = page.getByRole("complementary", { name: "Node", exact: true });
  await expect(data).toContainText("It failed.");
  await expect(data.getByRole("region", { name: "Data of Pause" })).toContainText("Duration is required");
});

test("a reference typed key by key is what was typed, and is completed from real data", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Typed", trigger: { type: "manual" }, nodes, edges }));
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  await editor.select("tell");
  await page.getByRole("textbox", { name: "Message", exact: true }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("{{ $nodes['ask'].output.to");
  await page.getByRole("option", { name: "total" }).click();
  await expect(editor.node("tell")).toContainText("{{ $nodes['ask'].output.total}}");
});

test("expressions in JSON are previewed as in text: once there is a run, and with a warning for names that do not exist", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const data = { id: "{{ $trigger.body.order.id }}", fixed: [1] };
  const keep = { ...tell, id: "keep", name: "Keep", config: { message: "kept", data } };
  await editor.open(await preparation.createFlow({ name: "JSON", trigger: { type: "manual" }, nodes: [keep] }));
  await editor.select("keep");
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  const field = panel.locator('[data-field="data"]');
  await expect(field).toContainText("Run once to see a value.");
  const evaluated: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/expressions/evaluate")) evaluated.push(request.postData() ?? "");
  });
  const textbox = panel.getByRole("textbox", { name: "Data", exact: true });
  await textbox.click();
  await page.keyboard.press("ControlOrMeta+a");
  // Key by key, two expressions in one field are still one request.
  await page.keyboard.type('{"id": "{{ $trigger.body.order.id ');
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('{"id": "{{ $trigger.body.order.id }}", "by": ["{{ $input.user }}"]}');
  await expect(field).toContainText("by[0]: $input is not defined. Type $ to see what you can use here.");
  expect(evaluated.filter((body) => body.includes("$input"))).toHaveLength(1);
  expect(evaluated.length).toBeLessThan(5);

  // The whole config as JSON says the same, and where.
  await panel.getByRole("radiogroup", { name: "Node view" }).getByText("JSON").click();
  await expect(panel).toContainText("data.by[0]: $input is not defined.");
  await editor.write("Config as JSON", '{"message": "{{ $nodes[\'gone\'].output }}"}');
  await expect(panel).toContainText("This flow has no node “gone” that could be read here.");
  await editor.write("Config as JSON", JSON.stringify({ message: "Order {{ $trigger.body.order.id }}", data }));
  await expect(panel).toContainText("Run once to see a value.");
  await editor.runWith({ order: { id: 41 } });
  await expect(editor.run).toContainText("Completed");
  await expect(panel).toContainText('{"message":"Order 41","data":{"id":41,"fixed":[1]}}');
  await panel.getByRole("radiogroup", { name: "Node view" }).getByText("Form").click();
  await expect(field).toContainText('{"id":41,"fixed":[1]}');
});

test("a member of what the first run will bring is no mistake", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "First", trigger: { type: "manual" }, nodes: [tell] }));
  await editor.select("tell");
  const field = page.locator('[data-field="message"]');
  await editor.write("Message", "{{ $trigger.body.customer.email.toLowerCase() }}");
  await expect(field).toContainText("Run once to see a value.");
  await editor.write("Message", "{{ $triger.body.customer }}");
  await expect(field).toContainText("$triger is not defined. Type $ to see what you can use here.");
  await editor.write("Message", "Bearer {{ $credentials.shop }}");
  await expect(field).toContainText("$credentials has a value in a run only");
  await expect(field.locator("[data-failed]")).toHaveCount(0);
});

test("a credential is created in place and selected", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Keys", trigger: { type: "manual" }, nodes: [call] }));
  await editor.select("call");
  await page.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New credential" });
  const name = `shop_${crypto.randomUUID().slice(0, 8)}`;
  // Expressions write its name as an identifier.
  await dialog.getByRole("textbox", { name: "Name" }).fill(name.replace("_", " "));
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  await dialog.getByRole("textbox", { name: "Token" }).fill("a-secret-token");
  await dialog.getByRole("button", { name: "Create credential" }).click();
  await expect(dialog).toBeHidden();
  const chosen = page.getByRole("combobox", { name: "Credential" });
  await expect(chosen).toHaveValue(name);
  await editor.saved();
  await page.reload();
  await editor.select("call");
  await expect(chosen).toHaveValue(name);
});

test("a schedule shows its next run, and an invalid one its error", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Daily", trigger: { type: "manual" }, nodes: [ask] }));
  await editor.select("trigger");
  await page.getByLabel("Started by").selectOption("Schedule");
  await page.getByRole("button", { name: "Cron", exact: true }).click();
  const cron = page.getByRole("textbox", { name: "Schedule" });
  await cron.fill("0 9 * * 1-5");
  const next = page.getByRole("region", { name: "Next runs" });
  await expect(next.getByRole("listitem")).toHaveCount(5);
  await cron.fill("whenever");
  await expect(next).toBeHidden();
  await expect(page.locator('[data-field="cron"]')).toContainText("Must have five fields");
});

for (const [width, height] of [
  [1440, 900],
  [1100, 640],
] as const) {
  test(`what completes an expression in JSON stays on the screen, at ${width} px`, async ({
    signedIn: page,
    preparation,
  }) => {
    await page.setViewportSize({ width, height });
    const long = { ...ask, name: "The orders that came in over night from all of the shops" };
    const config = { url: "https://example.com", method: "POST", body: { a: 1 } };
    const send = { id: "send", type: "http-request", name: "Send", position: { x: 660, y: 0 }, config };
    const editor = new EditorPage(page);
    await editor.open(
      await preparation.createFlow({
        name: "Completed within",
        trigger: { type: "manual" },
        nodes: [long, send],
        edges: [{ source: "ask", target: "send" }],
      }),
    );
    await editor.select("send");
    const body = page.getByRole("textbox", { name: "Body", exact: true });
    await body.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type('{"some text that takes the line up to its end": "{{ $');
    const list = page.locator(".cm-tooltip-autocomplete");
    await expect(list.getByRole("option").first()).toBeVisible();
    const margins = async () => {
      const box = await list.boundingBox();
      if (box === null) return null;
      const right = width - box.x - box.width;
      const bottom = height - box.y - box.height;
      return Math.floor(Math.min(box.x, box.y, right, bottom));
    };
    // It is placed a moment after it is there.
    await expect.poll(margins).toBeGreaterThanOrEqual(8);
  });
}
