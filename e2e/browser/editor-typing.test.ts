import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const at = (id: string, type: string, x: number, config: object) => ({
  id,
  type,
  name: id,
  position: { x, y: 0 },
  config,
});
const nodes = [
  at("call", "http-request", 320, { url: "http://127.0.0.1:1/x", timeout: 5_000, body: { a: 1 } }),
  at("pause", "delay", 660, { ms: "{{ $trigger.body.ms }}" }),
  at("ask", "ai", 1_000, { model: "small", temperature: 1 }),
];
const edges = [
  { source: "call", target: "pause" },
  { source: "pause", target: "ask" },
];
const flow = { name: "Typing", trigger: { type: "manual" }, nodes, edges };

test("undo puts back what a field shows, and leaves the caret where it is", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  const id = await preparation.createFlow(flow);
  await editor.open(id);
  await editor.select("call");
  const url = page.getByRole("textbox", { name: "URL", exact: true });
  await url.click();
  await page.keyboard.press("Home");
  for (let step = 0; step < 10; step += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.type("abc");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(url).toHaveText("http://127.0.0.1:1/x");
  await page.keyboard.type("9");
  await expect(url).toHaveText("http://1279.0.0.1:1/x");

  const body = page.locator('[data-field="body"]').first();
  await body.getByRole("button", { name: "Text", exact: true }).click();
  await editor.saved();
  await body.getByRole("textbox").focus();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(body.getByRole("button", { name: "JSON", exact: true })).toHaveAttribute("aria-pressed", "true");
  await body.getByRole("textbox").click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" ");
  await editor.saved();
  const stored = await preparation.call("GET", `/flows/${id}`);
  expect(stored.nodes[0].config.body).toEqual({ a: 1 });

  await page.getByRole("radiogroup", { name: "Node view" }).getByText("JSON", { exact: true }).click();
  const config = page.getByRole("textbox", { name: "Config as JSON" });
  await config.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('{"url": "http://new.example"}');
  await expect(config).toContainText("new.example");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(config).toContainText("1279.0.0.1");
});

test("a number can be replaced where its group was opened for it, and may have decimals if its field takes them", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow(flow));
  await editor.select("call");
  const timeout = page.locator('[data-field="timeout"] input');
  await timeout.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("7");
  await expect(timeout).toBeFocused();
  await expect(timeout).toHaveValue("7");
  await editor.select("ask");
  const temperature = page.locator('[data-field="temperature"] input');
  await temperature.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("0.7");
  await expect(temperature).toHaveValue("0.7");
});

test("an expression in a node's form leaves the focus on its card", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow(flow));
  await editor.select("pause");
  await expect(page.locator('[data-field="ms"] .cm-content')).toContainText("$trigger.body.ms");
  await expect(editor.node("pause")).toBeFocused();
});

test("a trigger that gets a URL shows it", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow(flow));
  await editor.select("trigger");
  await page.getByLabel("Started by").selectOption("webhook");
  await expect(page.getByRole("button", { name: "Copy trigger URL" }).first()).toBeVisible();
});
