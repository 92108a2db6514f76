import { violationsInBoth } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const nodes = [
  {
    id: "check",
    type: "if-else",
    name: "Check",
    position: { x: 300, y: 0 },
    config: { condition: "$trigger.body.ok" },
  },
  { id: "ask", type: "http-request", name: "Ask", position: { x: 620, y: 0 } },
];
const edges = [{ source: "check", target: "ask", sourceHandle: "true" }];

test("the editor has no violation of level A or AA, in light or dark", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(
    await preparation.createFlow({ name: "For everybody", trigger: { type: "webhook" }, nodes, edges }),
  );
  expect(await violationsInBoth(page)).toEqual([]);
  await editor.node("ask").click();
  await expect(page.getByRole("textbox", { name: "URL", exact: true })).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
});

test("what is not published, its review and its versions have none either", async ({ signedIn: page, preparation }) => {
  const trigger = { type: "webhook" };
  const [check] = nodes;
  const flow = await preparation.createFlow({ name: "Published", status: "active", trigger, nodes: [check] });
  await preparation.call("PUT", `/flows/${flow}/draft`, { definition: { trigger, nodes, edges } });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.unpublished.getByRole("button", { name: "Review" }).click();
  const review = page.getByRole("dialog");
  await expect(review).toContainText("Fix these before publishing");
  expect(await violationsInBoth(page)).toEqual([]);
  await review.getByRole("button", { name: "Publish…" }).click();
  await expect(page.getByRole("dialog", { name: "Publish the changes" })).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Flow versions" }).click();
  await expect(page.getByRole("complementary", { name: "Versions" }).getByRole("listitem")).toHaveCount(2);
  expect(await violationsInBoth(page)).toEqual([]);
});

test("a flow with an odd document opens, shows and stays editable", async ({ signedIn: page, preparation }) => {
  const odd = [
    { id: "no place", type: "log" },
    { id: "none either", type: "log", name: "n".repeat(255) },
    { id: "broken", type: "transform", config: { transform: "{{ $trigger.body. }}" } },
    { id: "a:b'c", type: "log", config: { message: 5 } },
  ];
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Odd", trigger: { type: "manual" }, nodes: odd }));
  await expect(editor.node("broken").getByText("1 problem")).toBeAttached();
  await page.locator(".react-flow__node", { hasText: "a:b'c" }).click();
  await editor.write("Message", "still editable");
  await editor.saved();
});

test.describe("at 390 px", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a flow is read-only: a partly visible card is tapped, and its panel opens and closes", async ({
    signedIn: page,
    preparation,
  }) => {
    const flow = await preparation.createFlow({ name: "Small", trigger: { type: "webhook" }, nodes, edges });
    await page.goto(`/flows/${flow}`);
    const card = page.locator('.react-flow__node[data-id="check"]');
    await expect(card).toBeInViewport({ ratio: 0.1 });
    const box = await card.boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + 24, (box?.y ?? 0) + 20);
    const panel = page.getByRole("complementary", { name: "Check" });
    await expect(panel).toContainText("$trigger.body.ok");
    await panel.getByRole("button", { name: "Close the panel" }).click();
    await expect(panel).toBeHidden();
  });
});

test.describe("at a zoom of 200 % on a screen of 1,440 px", () => {
  test.use({ viewport: { width: 720, height: 450 } });

  test("a flow can be edited and run", async ({ signedIn: page, preparation }) => {
    const editor = new EditorPage(page);
    const say = { id: "say", type: "log", name: "Say", position: { x: 300, y: 0 }, config: { message: "a" } };
    const name = "A flow whose name is much longer than there is room for in the header";
    await editor.open(await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [say] }));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720);
    await expect(page.getByRole("button", { name: "Show node types" })).toBeVisible();
    await editor.select("say");
    await editor.write("Message", "hello");
    await editor.saved();
    await expect(page.getByRole("button", { name: "Run", exact: true })).toBeInViewport({ ratio: 1 });
    await editor.runWith({});
    await expect(editor.run).toContainText("Completed");
    expect(await violationsInBoth(page)).toEqual([]);
  });
});
