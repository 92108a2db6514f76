import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ScriptedAnswer, wireFormats } from "../support/models/wire-formats.ts";
import { violations } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

/** A model that says these things one after the other. */
async function modelServer(replies: readonly ScriptedAnswer[]) {
  let index = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const reply = replies[Math.min(index++, replies.length - 1)] ?? {};
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(wireFormats.openai.whole(reply)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

const at = (x: number) => ({ position: { x, y: 0 } });
const input = { type: "object", properties: { number: { type: "string" } }, required: ["number"] };

test("an agent's run shows what was said, what was asked of a person, what its tools gave, and the tokens", async ({
  signedIn: page,
  preparation,
}) => {
  const model = await modelServer([
    { text: "I will look.", calls: [{ name: "find_order", input: { number: "7" } }], tokens: [1_200, 30] },
    { text: "It is paid." },
  ]);
  try {
    const credential = `model${Date.now()}`;
    await preparation.call("POST", "/credentials", {
      name: credential,
      type: "openai",
      data: { baseUrl: model.baseUrl },
    });
    const orders = await preparation.createFlow({
      name: "Orders",
      trigger: { type: "manual" },
      nodes: [{ id: "paid", type: "transform", ...at(320), config: { transform: "({ paid: true })" } }],
    });
    const tools = [{ name: "find_order", description: "Finds an order", flowId: orders, input }];
    const config = { credential, model: "m", prompt: "Is order 7 paid?", tools, approval: ["find_order"] };
    const flow = await preparation.createFlow({
      name: "Ask the agent",
      trigger: { type: "manual" },
      nodes: [{ id: "agent", type: "agent", name: "Agent", ...at(320), config }],
    });
    const run = await preparation.run(flow, {});
    await page.goto(`/runs/${run}`);
    const approval = page.getByRole("form", { name: "May the agent use find_order?" }).first();
    await expect(approval).toContainText('"number": "7"');
    const card = page.locator('.react-flow__node[data-id="agent"]');
    await expect(card).toContainText("Waiting for approval");
    await expect(card).not.toContainText("item");
    await approval.getByRole("button", { name: "Approve" }).click();
    await expect(page.locator("header").filter({ hasText: "Ask the agent" })).toContainText("Completed");

    await page.getByRole("application", { name: "Flow" }).getByRole("button", { name: "Agent" }).click();
    const panel = page.getByRole("complementary", { name: "Agent" });
    await panel.getByRole("tab", { name: "Steps (4)" }).click();
    const steps = panel.getByRole("list", { name: "Steps" }).locator("> li");
    await expect(steps).toHaveCount(4);
    await expect(steps.nth(0)).toContainText("I will look.");
    await expect(steps.nth(0)).toContainText("1,230 tokens");
    await expect(steps.nth(0)).toContainText("Uses find_order");
    await expect(steps.nth(1)).toContainText("find_order: approved");
    await expect(steps.nth(2)).toContainText("paid");
    await expect(steps.nth(3)).toContainText("It is paid.");
    expect(await violations(page)).toEqual([]);
  } finally {
    model.close();
  }
});

test("a run's page shows what a model says while it says it", async ({ signedIn: page, preparation }) => {
  const gate = Promise.withResolvers<void>();
  const text = wireFormats.openai.streamed({ text: "The order was paid in March." });
  const half = text.indexOf("\n\n", text.length / 2) + 2;
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" }).write(text.slice(0, half));
    await gate.promise;
    response.end(text.slice(half));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const credential = `model${Date.now()}`;
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    await preparation.call("POST", "/credentials", { name: credential, type: "openai", data: { baseUrl } });
    const flow = await preparation.createFlow({
      name: "Ask aloud",
      trigger: { type: "manual" },
      nodes: [
        { id: "pause", type: "wait", name: "Pause", ...at(320), config: {} },
        { id: "ask", type: "ai", name: "Ask", ...at(640), config: { credential, model: "m", prompt: "?" } },
      ],
      edges: [{ source: "pause", target: "ask" }],
    });
    const { executionId: run } = await preparation.call("POST", `/flows/${flow}/execute`, { data: {}, async: true });
    await page.goto(`/runs/${run}`);
    await page.getByRole("button", { name: "Continue" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Submit answer" }).click();
    await page.getByRole("application", { name: "Flow" }).getByRole("button", { name: "Ask" }).click();
    const answer = page.getByRole("complementary", { name: "Ask" }).getByRole("note", { name: "The answer so far" });
    await expect(answer).toContainText("The order");
    gate.resolve();
    await expect(page.locator("header").filter({ hasText: "Ask aloud" })).toContainText("Completed");
    await expect(answer).toBeHidden();
  } finally {
    gate.resolve();
    server.close();
  }
});

test("the settings of a question and of an agent are fields in the editor", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({
    name: "Models",
    trigger: { type: "manual" },
    nodes: [
      { id: "ask", type: "ai", name: "Ask", ...at(320), config: { model: "gpt-5-mini", prompt: "Hello?" } },
      {
        id: "agent",
        type: "agent",
        name: "Help",
        ...at(640),
        config: { model: "gpt-5-mini", prompt: "Help", tools: [] },
      },
    ],
    edges: [{ source: "ask", target: "agent" }],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await expect(editor.node("ask")).toContainText("gpt-5-mini: Hello?");
  await editor.select("ask");
  await expect(page.getByRole("textbox", { name: "Model", exact: true })).toContainText("gpt-5-mini");
  await editor.select("agent");
  await expect(page.getByText("Tools that need approval", { exact: true })).toBeVisible();
  await expect(page.getByText("Token budget", { exact: true })).toBeAttached();
});
