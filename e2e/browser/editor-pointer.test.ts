import { violations } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const at = (id: string, x: number) => ({ id, type: "log", name: id, position: { x, y: 0 }, config: { message: id } });
const row = { trigger: { type: "manual" }, nodes: [at("first", 0), at("second", 420)] };
const edges = [{ source: "first", target: "second" }];

test("a click on an open handle, on a wire's plus and on the keyboard adds a node and its wires", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Hands", ...row, edges }));
  await editor.handle("second", "plain").click();
  await editor.choose("transform");
  await expect(page.locator('.react-flow__edge[data-id="second→transform"]')).toHaveCount(1);

  // Selected, as by touch, a wire shows its plus.
  await page.locator('.react-flow__edge[data-id="first→second"]').click({ force: true });
  await page.getByRole("button", { name: "Insert a node here" }).click();
  await editor.choose("code");
  await expect(page.locator('.react-flow__edge[data-id="first→code"]')).toHaveCount(1);
  await expect(page.locator('.react-flow__edge[data-id="code→second"]')).toHaveCount(1);

  await editor.select("first");
  await editor.node("first").focus();
  await page.keyboard.press("Shift+A");
  await editor.choose("merge");
  await expect(page.locator('.react-flow__edge[data-id="first→merge"]')).toHaveCount(1);
  await expect(page.locator('.react-flow__edge[data-id="merge→code"]')).toHaveCount(1);

  // A selected wire comes before the node whose wire it is.
  await page.locator('.react-flow__edge[data-id="code→second"]').click({ force: true });
  await page.keyboard.press("Shift+A");
  await editor.choose("log");
  await expect(page.locator('.react-flow__edge[data-id="code→log"]')).toHaveCount(1);
  await expect(page.locator('.react-flow__edge[data-id="log→second"]')).toHaveCount(1);
});

test("a card that passes under a resting pointer offers nothing until the pointer moves", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Passing", ...row, edges }));
  const second = editor.node("second");
  const tools = page.getByRole("toolbar", { name: "Actions on second" });
  const { x, y, height } = (await second.boundingBox()) ?? { x: 0, y: 0, height: 0 };
  await page.mouse.move(x - 20, y + height / 2);
  await page.mouse.wheel(160, 0);
  await expect.poll(async () => (await second.boundingBox())?.x ?? x).toBeLessThan(x - 40);
  await expect(tools).toHaveCount(0);
  await page.mouse.move(x - 18, y + height / 2);
  await expect(tools).toBeVisible();
});

test("a card under the pointer offers what can be done with it, and ? lists every shortcut", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Tools", ...row, edges }));
  await editor.node("first").hover();
  const tools = page.getByRole("toolbar", { name: "Actions on first" });
  await tools.getByRole("button", { name: "Disable" }).click();
  await expect(editor.node("first")).toContainText("Disabled");
  await expect(page.getByRole("complementary", { name: "Node", exact: true })).toBeHidden();
  await editor.node("first").hover();
  await tools.getByRole("button", { name: "Enable" }).click();
  await editor.node("first").hover();
  await tools.getByRole("button", { name: "Duplicate" }).click();
  await expect(editor.node("first-2")).toBeVisible();
  await editor.node("first-2").hover();
  expect(await violations(page, { bestPractices: true })).toEqual([]);
  await page.getByRole("toolbar", { name: "Actions on first 2" }).getByRole("button", { name: "Delete" }).click();
  await expect(editor.node("first-2")).toHaveCount(0);
  await editor.node("second").hover();
  await page
    .getByRole("toolbar", { name: "Actions on second" })
    .getByRole("button", { name: "Run to this node" })
    .click();
  await expect(page.getByRole("dialog", { name: "Run to second" })).toBeVisible();
  await page.keyboard.press("Escape");

  await editor.node("second").focus();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toContainText("Insert into this edge, or after this node");
  await expect(keys).toContainText("Undo");
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
});

test("a new node says nothing of what is missing until it is touched or published, and previews wait for a run", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "New", trigger: { type: "manual" }, nodes: [] }));
  await page.getByRole("button", { name: "Add the first node" }).click();
  const checked = page.waitForResponse(/\/flows\/check$/);
  await editor.choose("http");
  await checked;
  await editor.saved();
  await expect(editor.node("http-request")).toHaveAttribute("aria-label", "HTTP request");
  await expect(page.getByText("is required")).toHaveCount(0);

  await editor.write("URL", "https://example.com/{{ $trigger.body.id }}");
  await expect(page.getByText("Run once to see a value.")).toBeVisible();
  await expect(page.getByText("Run once to see the data that this node can use.")).toBeVisible();
  await page.getByRole("textbox", { name: "URL", exact: true }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Backspace");
  await expect(editor.node("http-request")).toHaveAttribute("aria-label", "HTTP request, 1 problem");

  // Touched just now, it has been checked only as it was: that it lacked a URL is no longer true.
  await editor.node("http-request").focus();
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "Add the first node" }).click();
  const gate = Promise.withResolvers<void>();
  const again = page.waitForResponse(/\/flows\/check$/);
  await editor.choose("rest api");
  await again;
  await page.route("**/flows/check", async (route) => {
    await gate.promise;
    await route.fallback();
  });
  await editor.write("URL", "https://example.com");
  await editor.saved();
  await expect(editor.node("http-request")).toHaveAttribute("aria-label", "HTTP request");
  await expect(page.getByText("Required", { exact: true })).toHaveCount(0);
  gate.resolve();

  await editor.node("http-request").focus();
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "Add the first node" }).click();
  await editor.choose("http");
  await expect(editor.node("http-request")).toHaveAttribute("aria-label", "HTTP request");
  await editor.live.click();
  await expect(editor.node("http-request")).toHaveAttribute("aria-label", "HTTP request, 1 problem");
});

test("a click on a value of the latest run inserts it where the caret is", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Inserts", ...row, edges }));
  await editor.runWith({ order: { id: 41 } });
  await expect(editor.run).toContainText("Completed");
  await editor.run.getByRole("button", { name: "Close the run" }).click();
  await editor.select("second");
  await editor.write("Message", "Order: ");
  await page.getByRole("region", { name: "Data of Trigger" }).getByText("41").click();
  const field = page.getByRole("textbox", { name: "Message", exact: true });
  await expect(field).toContainText(/Order: \{\{ .*order\.id \}\}/);
  await expect(field).toBeFocused();
  await editor.saved();
});

test("25 nodes at 1440 pixels keep their icons and names", async ({ signedIn: page, preparation }) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  const nodes = Array.from({ length: 25 }, (_, index) => ({
    ...at(`n${index}`, 0),
    name: `Step ${index}`,
    position: { x: (index % 7) * 330, y: Math.floor(index / 7) * 180 },
  }));
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Large", trigger: { type: "manual" }, nodes }));
  await page.getByRole("button", { name: "Show the whole flow" }).click();
  await editor.isStill();
  for (const index of [0, 12, 24]) {
    const name = editor.node(`n${index}`).getByText(`Step ${index}`, { exact: true });
    await expect(name).toBeInViewport();
    const height = await name.evaluate((element) => {
      const scale = element.getBoundingClientRect().height / element.clientHeight;
      return Number.parseFloat(getComputedStyle(element).fontSize) * scale;
    });
    expect(height).toBeGreaterThan(7.5);
    await expect(editor.node(`n${index}`).locator("svg").first()).toBeInViewport();
  }
});

test("A adds after the card with the focus, and a duplicate covers no other card", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const nodes = ["one", "two"].map((id, index) => {
    return { id, type: "transform", name: id, position: { x: 320 * index, y: 0 }, config: { transform: "1" } };
  });
  const edges = [{ source: "one", target: "two" }];
  await editor.open(await preparation.createFlow({ name: "By hand", trigger: { type: "manual" }, nodes, edges }));
  await editor.select("two");
  await editor.node("two").focus();
  // Takes the selection, and leaves the focus.
  await page.keyboard.press("Escape");
  await expect(editor.node("two")).toBeFocused();
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Add a node" }).waitFor();
  await page.keyboard.type("log");
  await page.keyboard.press("Enter");
  await expect(page.locator('.react-flow__edge[data-id="two→log"]')).toHaveCount(1);

  await editor.select("two");
  await editor.node("two").focus();
  await page.keyboard.press("ControlOrMeta+d");
  const copy = editor.node("two-2");
  await expect(copy).toBeVisible();
  const below = async () => {
    const [original, its] = [await editor.node("two").boundingBox(), await copy.boundingBox()];
    return (its?.y ?? 0) - ((original?.y ?? 0) + (original?.height ?? 0));
  };
  await expect.poll(below).toBeGreaterThan(0);
});
