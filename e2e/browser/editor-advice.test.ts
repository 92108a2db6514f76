import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const nodes = [
  {
    id: "check",
    type: "if-else",
    name: "Check",
    position: { x: 320, y: 0 },
    config: { condition: "1 > 2" },
  },
  {
    id: "each",
    type: "loop",
    name: "For all",
    position: { x: 660, y: 0 },
    config: {
      items: "$trigger.body.orders",
      body: {
        nodes: [
          {
            id: "send",
            type: "http-request",
            name: "Send",
            position: { x: 0, y: 0 },
            config: { method: "POST", url: "https://api.example.com" },
          },
        ],
        edges: [],
      },
    },
  },
];

test("advice is listed with its severity, marks cards, is explained, and a fix is applied and undone in one step", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Advised",
    trigger: { type: "webhook" },
    nodes,
    edges: [{ source: "check", target: "each", sourceHandle: "true" }],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await expect(editor.node("check").getByTitle("1 problem")).toBeVisible();
  await expect(editor.node("each").getByTitle("1 hint")).toBeVisible();
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Flow problems" }).click();
  const advice = page.getByRole("list", { name: "Advice" });
  const unbounded = advice.getByRole("listitem").filter({ hasText: "For all" });
  await expect(unbounded.getByRole("img", { name: "Hint" })).toBeVisible();
  const explanation = page.context().waitForEvent("page");
  await unbounded.getByRole("link", { name: "About UNBOUNDED_LOOP" }).click();
  const explained = await explanation;
  await expect(explained.getByRole("heading", { name: /UNBOUNDED_LOOP/ })).toBeInViewport();
  await explained.close();

  await unbounded.getByRole("button").last().click();
  await expect(unbounded).toHaveCount(0);
  await editor.saved();
  const maxItems = async () => (await preparation.call("GET", `/flows/${flow}`)).nodes[1].config.maxItems;
  await expect.poll(maxItems).toBe(100);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(unbounded).toBeVisible();
  await expect.poll(maxItems).toBeUndefined();
});

test("the review of changes shows the tests' results and advice beside the difference", async ({
  signedIn: page,
  preparation,
}) => {
  const total = {
    id: "total",
    type: "transform",
    name: "Total",
    position: { x: 320, y: 0 },
    config: { transform: "42" },
  };
  const flow = await preparation.createFlow({ name: "Reviewed", trigger: { type: "manual" }, nodes: [total] });
  const execute = { data: {}, async: false };
  const { executionId: run } = await preparation.call("POST", `/flows/${flow}/execute`, execute);
  await preparation.call("POST", `/flows/${flow}/tests`, { fromExecutionId: run, name: "The answer" });
  await preparation.changeFlow(flow, { status: "active" });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("total");
  await editor.write("Transform", "43");
  await editor.saved();
  await editor.unpublished.getByRole("button", { name: "Review" }).click();
  const results = page.getByRole("dialog").getByRole("region", { name: "Test results" });
  await expect(results).toContainText("The test failed");
  await expect(results).toContainText("The answer");
  await expect(results.getByRole("definition")).toHaveText(["42", "43"]);
  await results.getByRole("button", { name: "Show the node" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("complementary", { name: "Node", exact: true })).toBeVisible();
});

test("a hint that comes while a field is edited leaves the field in place, and is followed from the panel", async ({
  signedIn: page,
  preparation,
}) => {
  const fetch = {
    id: "fetch",
    type: "http-request",
    name: "Fetch",
    position: { x: 320, y: 0 },
    config: { url: "https://api.example.com" },
  };
  const flow = await preparation.createFlow({ name: "Hinted", trigger: { type: "manual" }, nodes: [fetch] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("fetch");
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  const url = panel.getByRole("textbox", { name: "URL" });
  await editor.write("URL", "https://api.example.com/orders");
  await editor.saved();
  const hints = panel.getByRole("list", { name: "Hints" });
  await expect(hints).toContainText("Reads from outside and is not retried.");
  const [field, hint] = await Promise.all([url.boundingBox(), hints.boundingBox()]);
  expect(hint?.y).toBeGreaterThan(field?.y ?? Number.POSITIVE_INFINITY);
  await hints.getByRole("button", { name: "Try again twice" }).click();
  await expect(hints).toBeHidden();
  await editor.saved();
  expect((await preparation.call("GET", `/flows/${flow}`)).nodes[0].config.retry).toMatchObject({ maxRetries: 2 });
});
