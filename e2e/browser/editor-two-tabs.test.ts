import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const say = (id: string, x: number) => ({
  id,
  type: "log",
  name: id,
  position: { x, y: 0 },
  config: { message: "before" },
});

test("two tabs change the same flow: independent changes are merged, conflicts are shown and resolved", async ({
  signedIn: page,
  preparation,
  context,
}) => {
  const flow = await preparation.createFlow({
    name: "Shared",
    trigger: { type: "manual" },
    nodes: [say("left", 300), say("right", 620)],
  });
  const [here, there] = [new EditorPage(page), new EditorPage(await context.newPage())];
  await here.openUnaware(flow);
  await there.openUnaware(flow);

  await here.isStill();
  await here.node("left").click();
  await here.write("Message", "from here");
  await here.saved();
  await there.select("right");
  await there.write("Message", "from there");
  await expect(there.page.getByText("Both changes are kept")).toBeVisible();
  await there.saved();
  await expect(there.node("left")).toContainText("from here");

  await there.select("left");
  await there.write("Message", "theirs");
  await there.saved();
  await here.isStill();
  await here.write("Message", "mine instead");
  await here.page.getByRole("button", { name: "Compare and choose" }).click();
  const dialog = here.page.getByRole("dialog", { name: "Conflicting changes" });
  await expect(dialog).toContainText("mine instead");
  await expect(dialog).toContainText("theirs");
  await dialog.getByRole("button", { name: "Use mine" }).click();
  await here.saved();
  await expect(here.node("left")).toContainText("mine instead");
  await expect(here.node("right")).toContainText("from there");
});

test("a conflict shows the field that differs, and saving as a new flow loses neither side", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [say("left", 300)];
  const flow = await preparation.createFlow({ name: "Clash", trigger: { type: "manual" }, nodes });
  const editor = new EditorPage(page);
  await editor.openUnaware(flow);
  await editor.node("left").click();
  const theirs = { ...say("left", 300), config: { message: "theirs" } };
  await preparation.changeFlow(flow, { nodes: [theirs] });
  await editor.write("Message", "mine");
  await page.getByRole("button", { name: "Compare and choose" }).click();
  const dialog = page.getByRole("dialog", { name: "Conflicting changes" });
  await expect(dialog).toContainText("Message here");
  await dialog.getByRole("button", { name: "Keep mine as a new flow" }).click();
  await expect(editor.node("left")).toContainText("theirs");
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Open it" }).click();
  const own = new EditorPage(await opened);
  await expect(own.node("left")).toContainText("mine");
});

test("edits are kept when somebody goes to another page of the app and comes back", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [say("left", 300)];
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Returns", trigger: { type: "manual" }, nodes }));
  await editor.node("left").click();
  await editor.write("Message", "written just now");
  // It is still being sent when they come back.
  const gate = Promise.withResolvers<void>();
  await page.route("**/api/v1/flows/*", async (route) => {
    if (route.request().method() === "PATCH") await gate.promise;
    await route.continue();
  });
  await page.getByRole("navigation").getByRole("link", { name: "Flows" }).click();
  await expect(page.getByRole("heading", { name: "Flows", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Flows", level: 1 })).toBeHidden();
  await expect(editor.node("left")).toBeHidden();
  gate.resolve();
  await expect(editor.node("left")).toContainText("written just now");
});

test("unsaved edits survive a reload, and are sent when the server responds again", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Offline",
    trigger: { type: "manual" },
    nodes: [say("left", 300)],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  const address = `**/api/v1/flows/${flow}`;
  await page.route(address, (route) => (route.request().method() === "PATCH" ? route.abort() : route.continue()));
  await editor.node("left").click();
  await editor.write("Message", "written offline");
  await expect(page.getByText("The server is not responding. Your changes are kept")).toBeVisible();
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(editor.node("left")).toContainText("written offline");
  await page.unroute(address);
  await editor.saved();
});

test("a second tab does not take over the first one's unsaved edits; once that is closed, they are offered", async ({
  signedIn: page,
  preparation,
  context,
}) => {
  const flow = await preparation.createFlow({
    name: "Left behind",
    trigger: { type: "manual" },
    nodes: [say("left", 300)],
  });
  const here = new EditorPage(page);
  await here.open(flow);
  await page.route("**/api/v1/flows/*", (route, request) =>
    request.method() === "PATCH" ? route.abort() : route.continue(),
  );
  await here.node("left").click();
  await here.write("Message", "only here");
  await expect(page.getByText("Kept in this browser").first()).toBeVisible();

  const there = new EditorPage(await context.newPage());
  await there.open(flow);
  await expect(there.node("left")).toContainText("before");
  await expect(there.page.getByText("unsaved changes from an earlier visit")).toHaveCount(0);

  await page.close({ runBeforeUnload: false });
  await there.page.reload();
  await there.isStill();
  await expect(there.node("left")).toContainText("before");
  await there.page.getByRole("button", { name: "Review" }).click();
  const dialog = there.page.getByRole("dialog", { name: "Unsaved changes" });
  await expect(dialog).toContainText("only here");
  await dialog.getByRole("button", { name: "Apply these changes" }).click();
  await expect(there.node("left")).toContainText("only here");
  await there.saved();
  await there.page.reload();
  await there.isStill();
  await expect(there.page.getByText("unsaved changes from an earlier visit")).toHaveCount(0);
});
