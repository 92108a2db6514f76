import { EditorPage } from "./editor-page.ts";
import { joinAs } from "./join-as.ts";
import { expect, test } from "./signed-in.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const body = {
  nodes: [
    { id: "price", name: "Price", type: "transform", position: { x: 0, y: 0 }, config: { transform: "$item.n * 2" } },
  ],
  edges: [],
};
const loopConfig = (config: object = { items: "$trigger.body.items", body }) => ({
  id: "each",
  type: "loop",
  name: "Each order",
  position: { x: 320, y: 0 },
  config,
});
const tell = { id: "tell", type: "log", name: "Tell", position: { x: 660, y: 0 }, config: { message: "done" } };
const edges = [{ source: "each", target: "tell" }];

test("a loop's body is built on the canvas without JSON, undone across levels, runs, and shows each item", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Orders",
    trigger: { type: "manual" },
    nodes: [loopConfig({ items: "$trigger.body.items", onItemError: "collect" })],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("each").dblclick();
  await expect(editor.level).toContainText("Each order");
  await expect(page).toHaveURL(/in=each/);
  await page.getByRole("button", { name: "Add the first node" }).click();
  await editor.choose("transform");
  await editor.write("Transform", "if ($item.n > 4) throw new Error('too many'); return $item.n * 2");
  await editor.handle("transform", "plain").click();
  await editor.choose("log");
  await editor.write("Message", "{{ $nodes.transform.output }} of {{ $index }}");
  await expect(page.locator('.react-flow__edge[data-id="transform→log"]')).toHaveCount(1);
  await editor.saved();

  // Undo shows the level where the change was made.
  await editor.level.getByRole("button", { name: "Orders" }).click();
  await expect(editor.level).toBeHidden();
  await editor.node("each").focus();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(editor.level).toContainText("Each order");
  await page.getByRole("button", { name: "Redo" }).click();
  await editor.saved();

  await editor.runWith({ items: [{ n: 1 }, { n: 5 }, { n: 3 }] });
  await expect(editor.run).toContainText("Completed");
  const item = page.getByRole("textbox", { name: "Item of Each order to show, from 0 to 2" });
  await expect(item).toHaveValue("1");
  await expect(editor.node("transform")).toContainText("Failed");
  await page.getByRole("button", { name: "Previous item" }).click();
  await expect(item).toHaveValue("0");
  await expect(editor.node("transform")).toContainText("Completed");
  await editor.select("transform");
  await expect(editor.run.getByRole("region", { name: "Output of Transform" })).toContainText("2");
  await expect(page.getByRole("region", { name: "Data of Item" })).toContainText("n");
  await page.getByRole("button", { name: "Next failed item" }).click();
  await expect(item).toHaveValue("1");

  await page.reload();
  await editor.isStill();
  await expect(editor.level).toContainText("Each order");
  await expect(editor.node("transform")).toBeVisible();
});

test("problems in a body are on the loop's card and lead into it, as search does", async ({
  signedIn: page,
  preparation,
}) => {
  const broken = { nodes: [{ id: "call", name: "Call", type: "http-request", config: {} }] };
  const flow = await preparation.createFlow({
    name: "Broken within",
    trigger: { type: "manual" },
    nodes: [loopConfig({ items: "{{ [1] }}", body: broken })],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await expect(editor.node("each")).toHaveAttribute("aria-label", "Each order, 1 problem");
  await editor.live.click();
  await page.getByRole("complementary", { name: "Problems" }).getByRole("button", { name: /Call/ }).first().click();
  await expect(editor.level).toContainText("Each order");
  await expect(page).toHaveURL(/node=call/);
  await expect(page.getByRole("textbox", { name: "URL" })).toBeFocused();

  await editor.level.getByRole("button", { name: "Broken within" }).click();
  await expect(editor.node("each")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await page
    .getByPlaceholder(/search/i)
    .last()
    .fill("Call");
  await page.getByRole("button", { name: /Call.*Each order/ }).click();
  await expect(editor.level).toContainText("Each order");
});

test("nodes move into a loop and out of it, by command and by cut and paste, with ids that stay unique", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Moved",
    trigger: { type: "manual" },
    nodes: [loopConfig(), tell],
    edges,
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("tell").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Move into a loop" }).click();
  await expect(editor.level).toContainText("Each order");
  await expect(editor.node("tell")).toBeVisible();
  await expect(editor.node("price")).toBeVisible();
  await editor.saved();

  // The same nodes copied to the level around have new ids, and the originals stay.
  await editor.node("price").click();
  await page.keyboard.press("ControlOrMeta+c");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(editor.level).toBeHidden();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(editor.node("price-2")).toBeVisible();
  await editor.saved();

  await editor.node("each").click();
  await editor.node("each").focus();
  await page.keyboard.press("Enter");
  await editor.node("tell").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Move out of the loop" }).click();
  await expect(editor.level).toBeHidden();
  await expect(page.locator('.react-flow__edge[data-id="each→tell"]')).toHaveCount(1);
  await editor.saved();
});

test("a card dropped on a loop moves into its body, one dropped on the path moves out, each undone in one step", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({
    name: "Dragged",
    trigger: { type: "manual" },
    nodes: [loopConfig(), tell],
    edges,
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  const drag = async (id: string, to: { x: number; y: number }) => {
    const from = await editor.middleOf(id);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x - 20, to.y - 10, { steps: 6 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  await drag("tell", await editor.middleOf("each"));
  await expect(editor.node("tell")).toHaveCount(0);
  await expect(page.getByText("Moved into “Each order”.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(editor.node("tell")).toBeVisible();
  await expect(page.locator('.react-flow__edge[data-id="each→tell"]')).toHaveCount(1);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(editor.node("tell")).toHaveCount(0);
  await editor.saved();

  await page.goto(`/flows/${flow}?in=each`);
  await editor.isStill();
  const step = await editor.level.getByRole("button", { name: "Dragged" }).boundingBox();
  if (step === null) throw new Error("the path is not shown");
  await drag("tell", { x: step.x + step.width / 2, y: step.y + step.height / 2 });
  await expect(editor.level).toBeHidden();
  await expect(editor.node("tell")).toBeVisible();
  await expect(page.locator('.react-flow__edge[data-id="each→tell"]')).toHaveCount(1);
  await editor.saved();
});

test("where a flow is only read, as on a phone, a loop's body opens by its button and by its address", async ({
  signedIn: page,
  preparation,
}) => {
  const inner = { ...loopConfig({ items: "$item.lines", body }), id: "inner", name: "Each line" };
  const flow = await preparation.createFlow({
    name: "Read",
    trigger: { type: "manual" },
    nodes: [loopConfig({ items: "$trigger.body.items", body: { nodes: [inner], edges: [] } })],
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/flows/${flow}?node=each`);
  await page.getByRole("button", { name: "Open body" }).click();
  const path = page.getByRole("navigation", { name: "Level" });
  await expect(path).toContainText("Each order");
  await expect(page).toHaveURL(/in=each/);
  await page.goto(`/flows/${flow}?in=inner&node=price`);
  await expect(path.getByRole("button")).toHaveText(["Read", "Each order", "Each line"]);
  await expect(page.locator('.react-flow__node[data-id="price"]')).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Price" })).toContainText("$item.n * 2");
  await page.getByRole("button", { name: "Close the panel" }).click();
  await path.getByRole("button", { name: "Read" }).click();
  await expect(path).toBeHidden();
  await expect(page.locator('.react-flow__node[data-id="each"]')).toBeVisible();
});

test("a viewer walks through a loop's bodies, and sees what is saved in them, with nothing to change", async ({
  signedIn: owner,
  preparation,
  browser,
}) => {
  const inner = { ...loopConfig({ items: "$item.lines", body }), id: "inner", name: "Each line" };
  const nodesWith = (config: object) => [
    loopConfig({ items: "$trigger.body.items", body: { nodes: [config], edges: [] } }),
  ];
  const name = `Viewed ${Date.now()}`;
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: nodesWith(inner) });
  const viewer = await joinAs(owner, browser, "Viewer");
  const card = (id: string) => viewer.locator(`.react-flow__node[data-id="${id}"]`);
  await viewer.goto(`/flows/${flow}`);
  const path = viewer.getByRole("navigation", { name: "Level" });
  for (const [loop, steps] of [
    ["each", [name, "Each order"]],
    ["inner", [name, "Each order", "Each line"]],
  ] as const) {
    await card(loop).getByRole("button").click();
    await viewer.getByRole("button", { name: "Open body" }).click();
    await expect(path.getByRole("button")).toHaveText([...steps]);
  }
  await expect(card("price")).toBeVisible();
  await expect(viewer.getByRole("searchbox", { name: "Search nodes" })).toHaveCount(0);
  await viewer.keyboard.press("Delete");
  await expect(card("price")).toBeVisible();
  const changed = { nodes: [...body.nodes, { ...body.nodes[0], id: "added", position: { x: 320, y: 0 } }], edges: [] };
  await preparation.changeFlow(flow, {
    nodes: nodesWith({ ...inner, config: { items: "$item.lines", body: changed } }),
  });
  await expect(card("added")).toBeVisible();
  await expect(path.getByRole("button")).toHaveText([name, "Each order", "Each line"]);
  await viewer.context().close();
});

test("two people who change different nodes of one body keep both changes", async ({ signedIn: page, preparation }) => {
  const two = { nodes: [...body.nodes, { ...body.nodes[0], id: "other", name: "Other", position: { x: 320, y: 0 } }] };
  const definition = {
    name: "Shared",
    trigger: { type: "manual" },
    nodes: [loopConfig({ items: "{{ [1] }}", body: two })],
  };
  const flow = await preparation.createFlow(definition);
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("each").dblclick();
  const theirs = structuredClone(two);
  theirs.nodes[1] = { ...theirs.nodes[1], config: { transform: "'theirs'" } } as (typeof theirs.nodes)[number];
  await preparation.changeFlow(flow, { nodes: [loopConfig({ items: "{{ [1] }}", body: theirs })] });
  await editor.select("price");
  await editor.write("Transform", "'mine'");
  await editor.saved();
  await expect(editor.level).toContainText("Each order");
  await editor.select("other");
  await expect(page.getByRole("textbox", { name: "Transform", exact: true })).toContainText("'theirs'");
});

test("the palette finds a node by what is in its settings", async ({ signedIn: page, preparation }) => {
  const nodes = [{ id: "say", type: "log", name: "Say", config: { message: "A needle in the hay" } }];
  const flow = await preparation.createFlow({ name: "Searched", trigger: { type: "manual" }, nodes });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await page.keyboard.press("ControlOrMeta+k");
  const search = page.getByRole("textbox", { name: "Search commands" });
  await page.getByRole("button", { name: "Sign out" }).waitFor({ state: "attached" });
  const before = await search.boundingBox();
  await search.fill("needle");
  const found = page.getByRole("button", { name: /Say.*A needle in the hay/ });
  await expect(found.locator("svg")).toBeVisible();
  expect(await search.boundingBox()).toEqual(before);
  await found.click();
  await expect(page).toHaveURL(/node=say/);
});
