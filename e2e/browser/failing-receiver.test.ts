import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./signed-in.ts";

const flow = {
  name: "Told to a receiver",
  trigger: { type: "manual" },
  nodes: [{ id: "say", type: "transform", name: "Say it", config: { transform: "({ said: true })" } }],
};

test("a subscriber's deliveries fail; its URL is corrected, and a delivery is sent again", async ({
  signedIn: page,
  preparation,
}) => {
  const server = createServer((request, response) => {
    request.resume();
    const isRight = request.url === "/right";
    response.writeHead(isRight ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isRight ? { taken: true } : { message: "No such hook" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await page.goto("/");
    await page.getByRole("link", { name: "Webhooks", exact: true }).click();
    await page.getByRole("button", { name: "New subscription" }).click();
    const form = page.getByRole("dialog", { name: "New subscription" });
    await form.getByLabel("URL").fill(`${address}/wrong`);
    await form.getByRole("checkbox", { name: "execution.failed" }).uncheck();
    await form.getByRole("checkbox", { name: "execution.completed" }).check();
    await form.getByRole("button", { name: "Subscribe" }).click();
    const secret = page.getByRole("dialog", { name: "The signing secret" });
    await expect(secret.locator("pre")).toHaveText(/^\s*whsec_/);
    await secret.getByRole("button", { name: "Done" }).click();

    const run = await preparation.run(await preparation.createFlow(flow), {});
    // The runs of other tests are delivered too.
    const delivery = page
      .getByRole("row")
      .filter({ hasText: run.slice(-6) })
      .getByRole("button");
    await page.getByRole("link", { name: `${address}/wrong` }).click();
    await delivery.click();
    const drawer = page.getByRole("dialog", { name: "Delivery" });
    await expect(drawer.getByText("The receiver answered 404")).toBeVisible();
    await expect(drawer.getByLabel("Request body")).toContainText(run);
    await expect(drawer.getByLabel("Response body")).toContainText("No such hook");
    await drawer.getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("dialog", { name: "Edit subscription" }).getByLabel("URL").fill(`${address}/right`);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { name: `${address}/right`, level: 1 })).toBeVisible();
    await delivery.click();
    await drawer.getByRole("button", { name: "Send again" }).click();
    await expect(drawer.getByText("Delivered")).toBeVisible();
    await expect(drawer.getByLabel("Response body")).toContainText("taken");
    await drawer.getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(page.getByRole("heading", { name: "Webhooks", level: 1 })).toBeVisible();
  } finally {
    server.close();
  }
});
