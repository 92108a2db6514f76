import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

let server: Server;
const received: string[] = [];
test.beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(200, { "content-type": "application/json" }).end('{"name":"Rex","renamed":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
test.afterAll(() => void server.close());
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const petsDocument = (title: string) => {
  const schema = { type: "object", properties: { name: { type: "string", title: "New name" } }, required: ["name"] };
  const put = {
    ...{ operationId: "renamePet", summary: "Rename a pet", tags: ["Pets"], responses: {} },
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
    requestBody: { required: true, content: { "application/json": { schema } } },
  };
  const others = Array.from({ length: 999 }, (_, index) => [
    `/things/${index}`,
    { get: { operationId: `thing${index}`, summary: `Read thing ${index}`, responses: {} } },
  ]);
  const paths = { ...Object.fromEntries(others), "/pets/{id}": { put } };
  return JSON.stringify({ openapi: "3.1.0", info: { title }, servers: [{ url: url() }], paths });
};

// Proves services.palette
test("an imported document's operation is found in the palette, filled in and run", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  // Other tests import services into this workspace at the same time.
  const service = `Parrots ${Date.now()}`;
  await editor.open(await preparation.createFlow({ name: "Pets", trigger: { type: "manual" }, nodes: [] }));
  const palette = page.getByRole("complementary", { name: "Node types" });
  await expect(palette.getByRole("button", { name: "Slack" })).toBeVisible();
  await palette.getByRole("button", { name: "Import an OpenAPI document" }).click();
  const dialog = page.getByRole("dialog");
  const file = { name: "pets.json", mimeType: "application/json", buffer: Buffer.from(petsDocument(service)) };
  await dialog.locator('input[type="file"]').setInputFiles(file);
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(dialog).toBeHidden();
  await expect(palette.getByRole("button", { name: service })).toBeVisible();

  // Of a thousand operations, a hundred are drawn.
  const ms = await palette.getByRole("button", { name: service }).evaluate(async (button: HTMLElement) => {
    const startedAt = performance.now();
    button.click();
    while (!document.body.textContent?.includes("Read thing 42")) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return performance.now() - startedAt;
  });
  console.log(`A service of 1,000 operations opens in ${ms.toFixed(0)} ms`);
  await expect(palette.getByText("900 more: search for them.")).toBeVisible();

  await palette.getByRole("textbox", { name: "Search nodes" }).fill(`${service} rename`);
  await palette.getByRole("button", { name: "Rename a pet" }).click();
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  await expect(panel.getByRole("textbox", { name: "Node name" })).toHaveValue("Rename a pet");
  await expect(panel.getByRole("combobox", { name: "Operation" })).toHaveValue("renamePet");
  await panel.getByRole("textbox", { name: "id", exact: true }).fill("7");
  await editor.write("New name", "Rex");
  await editor.saved();
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  expect(received).toEqual(['PUT /pets/7 {"name":"Rex"}']);

  await palette.getByRole("textbox", { name: "Search nodes" }).fill("");
  await expect(palette.getByRole("region", { name: "Recently used" })).toContainText("Rename a pet");
});

test("a curl command pasted into a request's URL fills its form", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  const nodes = [{ id: "ask", type: "http-request", name: "Ask", position: { x: 320, y: 0 }, config: { url: "" } }];
  await editor.open(await preparation.createFlow({ name: "Curl", trigger: { type: "manual" }, nodes }));
  await editor.select("ask");
  const command = `curl -L -X PATCH '${url()}/orders/1' -H 'X-Shop: one' -d '{"paid": true}' -H 'Content-Type: application/json'`;
  await page.evaluate((text) => navigator.clipboard.writeText(text), command);
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  await panel.getByRole("textbox", { name: "URL", exact: true }).click();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(panel.getByRole("combobox", { name: "Method" })).toHaveValue("PATCH");
  await expect(panel.getByRole("textbox", { name: "URL", exact: true })).toHaveText(`${url()}/orders/1`);
  await editor.saved();
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  expect(received.at(-1)).toBe('PATCH /orders/1 {"paid":true}');
});
