import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const ask = (n: number) => ({
  id: "ask",
  type: "transform",
  name: "Ask",
  position: { x: 320, y: 0 },
  config: { transform: `({ n: ${n} })` },
});
const read = {
  id: "read",
  type: "transform",
  name: "Read",
  position: { x: 660, y: 0 },
  config: { transform: "'read ' + $nodes.ask.output.n" },
};
const edges = [{ source: "ask", target: "read" }];

test("a pinned output replaces its node while the flow is a draft, and not once it is active", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Pins",
    trigger: { type: "manual" },
    nodes: [ask(1), read],
    edges,
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  const output = editor.run.getByRole("region", { name: "Output of Read" });
  await editor.runWith({});
  await editor.node("ask").click();
  await editor.run.getByRole("button", { name: "Pin the output" }).click();
  await expect(editor.node("ask").getByText("The output is pinned")).toBeAttached();
  await editor.write("Transform", "({ n: 2 })");
  await editor.runWith({});
  await editor.select("read");
  await expect(output).toContainText("read 1");

  await editor.live.click();
  await expect(editor.live).toBeChecked();
  await editor.runWith({});
  await expect(output).toContainText("read 2");
});

test("an input is saved as a sample, and the next call of the trigger URL is shown as it runs", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [{ ...ask(1), config: { transform: "({ n: $trigger.body.n })" } }, read];
  const flow = await preparation.createFlow({
    name: "Listens",
    status: "active",
    trigger: { type: "webhook" },
    nodes,
    edges,
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Input").fill('{"n": 41}');
  await dialog.getByRole("button", { name: "Save as a sample" }).click();
  await dialog.getByLabel("Name of the sample").fill("Forty-one");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Start with")).toHaveValue("sample:Forty-one");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await editor.node("read").click();
  const output = editor.run.getByRole("region", { name: "Output of Read" });
  await expect(output).toContainText("read 41");

  await page.getByRole("button", { name: "Listen for the next call" }).click();
  await expect(editor.run).toContainText("Listening for the next call");
  const url = await editor.node("trigger").locator("[title^=http]").getAttribute("title");
  const answer = await page.request.post(url ?? "", { data: { n: 42 } });
  expect(await answer.json()).toBe("read 42");
  await expect(output).toContainText("read 42");
});

test("an output of 5 MB is shown and the editor stays responsive", async ({ signedIn: page, preparation }) => {
  const items = Array.from({ length: 50_000 }, (_, id) => ({ id, text: "x".repeat(80) }));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(items));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const nodes = [{ ...ask(1), type: "http-request", config: { method: "GET", url } }];
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Large", trigger: { type: "manual" }, nodes }));
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  server.close();
  await editor.node("ask").click();
  const output = editor.run.getByRole("region", { name: "Output of Ask" });
  await output.getByText("body").first().click();
  await expect(output).toContainText("50000");
  expect(await output.locator("*").count()).toBeLessThan(3_000);
  await editor.write("URL", "https://example.com/elsewhere");
  await editor.saved();
});

test("a loop's iterations are shown item by item, with each node's input and output", async ({
  signedIn: page,
  preparation,
}) => {
  const body = {
    nodes: [
      {
        id: "half",
        name: "Half",
        type: "transform",
        config: { transform: "if ($item % 2) throw new Error('odd'); return $item / 2" },
      },
    ],
    edges: [],
  };
  const config = { items: "$trigger.body.items", onItemError: "collect", body };
  const nodes = [{ id: "each", type: "loop", name: "Each", position: { x: 320, y: 0 }, config }];
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Loops", trigger: { type: "manual" }, nodes }));
  await editor.runWith({ items: [4, 5] });
  await editor.node("each").click();
  await editor.run.getByRole("tab", { name: "Items (2)" }).click();
  await editor.run.getByRole("button", { name: /^Item 0/ }).click();
  await expect(editor.run.getByRole("region", { name: "Output of Half" })).toContainText("2");
  await editor.run.getByRole("switch", { name: "Failed only" }).check();
  await editor.run.getByRole("button", { name: /^Item 1/ }).click();
  await expect(editor.run).toContainText("odd");
});

test("on a slow network, the button says that a run is being started, until it is shown", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [{ id: "say", type: "log", name: "Say", position: { x: 320, y: 0 }, config: { message: "hello" } }];
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Slowly", trigger: { type: "manual" }, nodes }));
  const gate = Promise.withResolvers<void>();
  await page.route("**/execute", async (route) => {
    await gate.promise;
    await route.fallback();
  });
  const run = page.getByRole("button", { name: "Run", exact: true });
  await run.click();
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await expect(run).toBeDisabled();
  gate.resolve();
  await expect(editor.run).toContainText("Completed");
  await expect(run).toBeEnabled();
});

test("the first run of a flow starts with the fields that it reads", async ({ signedIn: page, preparation }) => {
  const greet = { id: "greet", type: "log", name: "Greet", config: { message: "{{ $trigger.body.customer.name }}" } };
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "First", trigger: { type: "webhook" }, nodes: [greet] }));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const input = page.getByRole("dialog").getByLabel("Input");
  await expect(input).toHaveValue(JSON.stringify({ customer: { name: "" } }, null, 2));
});
