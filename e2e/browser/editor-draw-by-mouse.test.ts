import { EditorPage } from "./editor-page.ts";
import { orderIntake, ratesService } from "./rates-service.ts";
import { expect, test } from "./signed-in.ts";

test("the README's flow is drawn from scratch by mouse, runs both ways, and answers at its URL", async ({
  signedIn: page,
}) => {
  // This test draws much, by pointer and frame by frame.
  const rates = await ratesService();
  const editor = new EditorPage(page);
  await editor.begin();
  await page
    .getByRole("button", { name: "If / else" })
    .dragTo(page.locator(".react-flow__pane"), { targetPosition: { x: 420, y: 160 } });
  await editor.write("Condition", orderIntake.condition);
  await editor.dropFrom("if-else", "true", { x: 90, y: -90 }, "http");
  await editor.write("URL", rates.url);
  await editor.dropFrom("http-request", "plain", { x: 30, y: 70 }, "transform");
  await editor.write("Transform", orderIntake.total);
  await editor.dropFrom("transform", "plain", { x: 30, y: 60 }, "log");
  await editor.write("Message", orderIntake.note);
  await editor.dropFrom("if-else", "false", { x: 10, y: 110 }, "respond");
  await page.getByRole("radiogroup", { name: "Node view" }).getByText("JSON").click();
  await editor.write("Config as JSON", orderIntake.refusal);
  await expect(page.locator(".react-flow__edge")).toHaveCount(5);

  await editor.runWith(orderIntake.order);
  await expect(editor.run).toContainText("Completed");
  await editor.select("transform");
  await expect(editor.run.getByRole("region", { name: "Output of Transform" })).toContainText("23.3");
  await editor.select("respond");
  await expect(editor.run).toContainText("If / else took “true”");
  await expect(editor.run).toContainText(orderIntake.condition);

  await editor.live.click();
  await expect(editor.live).toBeChecked();
  const url = (await editor.node("trigger").locator("[title^=http]").getAttribute("title")) ?? "";
  const answers = [
    await page.request.post(url, { data: orderIntake.order }),
    await page.request.post(url, { data: { ...orderIntake.order, items: [] } }),
  ];
  expect(answers.map((answer) => answer.status())).toEqual([200, 422]);
  expect(await answers[1]?.json()).toEqual({ error: "An order has items" });
  rates.close();
});

test("an edge that would create a cycle is refused with the reason, and a node dropped on a wire is inserted", async ({
  signedIn: page,
  preparation,
}) => {
  const at = (id: string, x: number) => ({ id, type: "log", name: id, position: { x, y: 0 } });
  const id = await preparation.createFlow({
    name: "In a row",
    trigger: { type: "manual" },
    nodes: [at("first", 0), at("second", 420)],
    edges: [{ source: "first", target: "second" }],
  });
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.dragTo(editor.handle("second", "plain"), await editor.middleOf("first"));
  await expect(page.getByText("That would create a cycle: first → second → first")).toBeVisible();

  const [from, to] = [await editor.middleOf("first"), await editor.middleOf("second")];
  const pane = await page.locator(".react-flow__pane").boundingBox();
  const middle = { x: (from.x + to.x) / 2 - (pane?.x ?? 0), y: from.y + 6 - (pane?.y ?? 0) };
  await page
    .getByRole("button", { name: "Code", exact: true })
    .dragTo(page.locator(".react-flow__pane"), { targetPosition: middle, force: true });
  await expect(page.locator('.react-flow__edge[data-id="first→code"]')).toHaveCount(1);
  await expect(page.locator('.react-flow__edge[data-id="code→second"]')).toHaveCount(1);
});

test("a wire is dragged by its end to another card, and deleted when dropped on the background", async ({
  signedIn: page,
  preparation,
}) => {
  const at = (id: string, x: number, y: number) => ({ id, type: "log", name: id, position: { x, y } });
  const id = await preparation.createFlow({
    name: "Led elsewhere",
    trigger: { type: "manual" },
    nodes: [at("first", 0, 0), at("second", 420, 0), at("third", 420, 220)],
    edges: [{ source: "first", target: "second" }],
  });
  const editor = new EditorPage(page);
  await editor.open(id);
  /** Takes the wire into a card by its end, beside the handle. */
  const take = async (target: string, to: { readonly x: number; readonly y: number }) => {
    const [from, card] = [await editor.handle("first", "plain").boundingBox(), await editor.node(target).boundingBox()];
    if (from === null || card === null) throw new Error("the wire is not on the canvas");
    const end = { x: card.x - 16, y: card.y + 29 * (card.width / 240) };
    await page.mouse.move(end.x, end.y);
    await expect(page.locator(".react-flow__edgeupdater-target")).toHaveCount(1);
    await page.mouse.move(end.x - 1, end.y);
    await page.mouse.down();
    await page.mouse.move(to.x - 20, to.y - 20, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  await take("second", await editor.middleOf("third"));
  await expect(page.locator('.react-flow__edge[data-id="first→third"]')).toHaveCount(1);
  await expect(page.locator('.react-flow__edge[data-id="first→second"]')).toHaveCount(0);
  const third = await editor.middleOf("third");
  await take("third", { x: third.x, y: third.y + 160 });
  await expect(page.locator('.react-flow__edge[data-id^="first→"]')).toHaveCount(0);
});
