import { EditorPage } from "./editor-page.ts";
import { expect, signIn, test } from "./signed-in.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const say = (id: string, x = 320, y = 0) => ({
  id,
  type: "log",
  name: id,
  position: { x, y },
  config: { message: "x" },
});

test("a session that expires during an edit loses nothing: it says what to do, and saves after signing in again", async ({
  signedIn: page,
  preparation,
  context,
}) => {
  const flow = await preparation.createFlow({ name: "Signed out", trigger: { type: "manual" }, nodes: [say("say")] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("say").click();
  await context.clearCookies();
  await editor.write("Message", "written meanwhile");
  await expect(page.getByText("Your session has ended. Your changes are kept in this browser")).toBeVisible();
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/sign-in");
  const other = await context.newPage();
  await signIn(other);
  await other.close();
  await page.getByRole("button", { name: "Try again" }).click();
  await editor.saved();
  await page.reload();
  await expect(editor.node("say")).toContainText("written meanwhile");
});

test("a server that is slow, and then fails, gets the latest edits", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ name: "Slow", trigger: { type: "manual" }, nodes: [say("say")] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  const [held, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let saves = 0;
  await page.route(`**/api/v1/flows/${flow}`, async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    saves += 1;
    if (saves === 1) {
      held.resolve();
      await gate.promise;
    }
    if (saves === 2)
      return route.fulfill({ status: 503, json: { error: { code: "UNAVAILABLE", message: "not now" } } });
    return route.fallback();
  });
  await editor.node("say").click();
  await editor.write("Message", "first words");
  await held.promise;
  await expect(page.getByRole("status", { name: "Changes: Saving" })).toBeVisible();
  await editor.write("Message", "last words");
  gate.resolve();
  await expect(page.getByText("The server is not responding. Your changes are kept")).toBeVisible();
  await editor.saved();
  await page.reload();
  await expect(editor.node("say")).toContainText("last words");
});

test("anything but a flow is refused with a message, pasted, dropped or imported", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "Refuses", trigger: { type: "manual" }, nodes: [say("say")] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("say").focus();
  for (const text of ["{broken", '{"nodes": 7}', '{"kind": "millrace/nodes", "nodes": [{"id": 5}]}']) {
    await page.evaluate((written) => navigator.clipboard.writeText(written), text);
    await page.keyboard.press("ControlOrMeta+v");
    await expect(page.getByText("There are no nodes on the clipboard.")).toBeVisible();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await editor.node("say").focus();
  }
  const drop = (name: string, text: string) =>
    page.locator(".react-flow__pane").evaluate(
      (pane, file) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([file.text], file.name, { type: "application/json" }));
        pane.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, clientX: 700, clientY: 600 }));
      },
      { name, text },
    );
  await drop("photo.json", "not JSON");
  await expect(page.getByText("photo.json contains no nodes")).toBeVisible();
  const document = {
    version: "1.0.0",
    flow: { name: "Other", trigger: { type: "manual" }, nodes: [say("say")], edges: [] },
  };
  await drop("flow.json", JSON.stringify(document));
  await expect(editor.node("say-2")).toBeVisible();

  await page.goto("/flows/new");
  const file = { name: "broken.json", mimeType: "application/json", buffer: Buffer.from("{") };
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.getByRole("alert").filter({ hasText: "broken.json is not valid JSON" })).toBeVisible();
});

test("a flow of 1,000 nodes opens at its start, and is searched, edited and saved", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = Array.from({ length: 1_000 }, (_, index) =>
    say(`n${index}`, (index % 25) * 330, Math.floor(index / 25) * 120),
  );
  const edges = nodes.slice(1).map(({ id }, index) => ({ source: `n${index}`, target: id }));
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Large", trigger: { type: "manual" }, nodes, edges }));
  await expect(editor.node("n0")).toBeInViewport();
  expect(await page.locator(".react-flow__node").count()).toBeLessThan(120);
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("textbox", { name: "Search commands" }).fill("n987");
  await expect(page.getByRole("dialog").getByText("n987").first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(editor.node("n987")).toBeInViewport();
  await editor.write("Message", "found among many");
  await editor.saved();
});

test("offline, what is opened later still opens; what cannot be loaded leaves the editor as it is", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "Away", trigger: { type: "manual" }, nodes: [say("say")] });
  const editor = new EditorPage(page);
  const run = page.getByRole("button", { name: "Run", exact: true });
  await editor.open(flow);
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("textbox", { name: "Search commands" })).toBeVisible();
  await page.keyboard.press("Escape");
  await run.click();
  const dialog = page.getByRole("dialog", { name: "Run Away" });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Flow settings" }).click();
  await expect(page.getByRole("switch", { name: "Offer to assistants" })).toBeVisible();
  await editor.node("say").click();
  await editor.write("Message", "written offline");
  await expect(page.getByText("You are offline. Your changes are kept in this browser")).toBeVisible();
  await page.context().setOffline(false);
  await editor.saved();

  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await page.reload();
  await editor.isStill();
  await page.route("**/_next/static/**", (route) => route.abort());
  await run.click();
  const notice = page.getByRole("alert").filter({ hasText: "This could not be loaded" });
  await expect(notice).toBeVisible();
  await expect(editor.node("say")).toBeVisible();
  await page.unroute("**/_next/static/**");
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(dialog).toBeVisible();
});

test("an input is offered again if its run could not be started", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ name: "Not now", trigger: { type: "manual" }, nodes: [say("say")] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await page.route("**/execute", (route) => route.fulfill({ status: 502, body: "<h1>Bad Gateway</h1>" }));
  const dialog = page.getByRole("dialog", { name: "Run Not now" });
  const run = page.getByRole("button", { name: "Run", exact: true });
  await run.click();
  await dialog.getByLabel("Input").fill('{ "typed": "at length" }');
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("The run could not be started. The server did not answer.")).toBeVisible();
  await run.click();
  await expect(dialog.getByLabel("Input")).toHaveValue(/at length/);
  await page.unroute("**/execute");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await expect(editor.run).toContainText("Completed");
});
