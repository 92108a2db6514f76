import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const sum = {
  id: "sum",
  type: "transform",
  name: "Sum",
  position: { x: 320, y: 0 },
  config: { transform: "$trigger.body.a + $trigger.body.b" },
};

// Proves assistants.offer
test("a flow is offered to assistants in its settings, with a name and what it is for", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Stock check",
    trigger: { type: "manual" },
    nodes: [sum],
    edges: [],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  const offer = page.getByRole("switch", { name: "Offer to assistants" });
  await expect(offer).not.toBeChecked();
  await offer.check();
  const name = page.getByRole("textbox", { name: "Tool name" });
  await expect(name).toHaveAttribute("placeholder", "stock_check");
  await name.fill("two words");
  await expect(page.getByText(/not beginning with millrace_/)).toBeVisible();
  await name.fill("stock_level");
  await expect(page.getByText(/not beginning with millrace_/)).toBeHidden();
  await page.getByRole("textbox", { name: "What it is for" }).fill("Tells how much is left.");
  const input = page.getByRole("textbox", { name: "Input" });
  await page.getByRole("button", { name: "Start from an example" }).click();
  await expect(input).toContainText('"article"');
  await input.fill('{ "type": "string" }');
  await expect(page.getByText('must be a JSON Schema with type "object"')).toBeVisible();
  await input.fill('{ "type": "object", "required": ["sku"] }');
  await expect(page.getByText('must be a JSON Schema with type "object"')).toBeHidden();
  await name.click();
  await editor.saved();
  expect((await preparation.call("GET", `/flows/${flow}`)).settings.input).toEqual({
    type: "object",
    required: ["sku"],
  });
  await page.reload();
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(offer).toBeChecked();
  await expect(name).toHaveValue("stock_level");
  await expect(input).toContainText('"sku"');
  await expect(page.getByRole("textbox", { name: "What it is for" })).toHaveValue("Tells how much is left.");
});

// Proves credentials.test-page
test("a credential is tested from the page of credentials", async ({ signedIn: page }) => {
  const server = createServer((request, response) => {
    response.writeHead(request.headers.authorization === "Bearer open-sesame" ? 200 : 401).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/me`;
  try {
    const name = `tried_${crypto.randomUUID().slice(0, 8)}`;
    await page.goto("/credentials");
    await page.getByRole("button", { name: "New credential" }).first().click();
    const form = page.getByRole("dialog", { name: "New credential" });
    await form.getByRole("textbox", { name: "Name" }).fill(name);
    await form.getByRole("textbox", { name: "Token" }).fill("open-sesame");
    await form.getByRole("button", { name: "Create credential" }).click();
    await expect(form).toBeHidden();
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Test" }).click();
    const dialog = page.getByRole("dialog", { name: `Test ${name}` });
    await dialog.getByRole("button", { name: "Test", exact: true }).click();
    await expect(dialog.getByRole("status")).toContainText("decrypted");
    await dialog.getByRole("textbox", { name: "URL" }).fill(url);
    await dialog.getByRole("button", { name: "Test", exact: true }).click();
    await expect(dialog.getByRole("status")).toContainText("answered with 200");
    await expect(dialog).not.toContainText("open-sesame");
  } finally {
    server.close();
  }
});
