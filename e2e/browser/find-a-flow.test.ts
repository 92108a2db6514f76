import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test("the list finds a flow by name and keeps the search in the URL", async ({ signedIn: page, preparation }) => {
  const name = `Ledger ${Date.now()}`;
  await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [] });
  await preparation.createFlow({ name: "Something else", trigger: { type: "manual" }, nodes: [] });
  await page.goto("/flows");
  // Not before the list is loaded: until then anything would seem to be filtered out.
  await expect(page.getByRole("link", { name: "Something else" }).first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Search flows" }).fill(name);
  await expect(page.getByRole("link", { name: "Something else" })).toBeHidden();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expect(page).toHaveURL(/search=Ledger/);
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Search flows" })).toHaveValue(name);
  await expect(page.getByRole("link", { name: "Something else" })).toBeHidden();
});

// As a quick person does who sees the flow before the search has begun.
test("a click on a flow right after typing opens it, and Back shows the search", async ({
  signedIn: page,
  preparation,
}) => {
  const target = await preparation.createFlow({ name: "Seen first", trigger: { type: "manual" }, nodes: [] });
  await page.goto("/flows");
  const link = page.locator(`a[href="/flows/${target}"]`).first();
  await expect(link).toBeVisible();
  const search = page.getByRole("searchbox", { name: "Search flows" });
  await link.hover();
  // On a slow machine the search begins before the press: its answer is held back, so that the row is still there.
  const pressed = Promise.withResolvers<void>();
  await page.route("**/api/v1/flows?*search=*", async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await search.pressSequentially("none of these");
  await page.mouse.down();
  await expect(search).not.toBeFocused();
  pressed.resolve();
  // Long enough for a search that began with the press to have been answered.
  for (let call = 0; call < 5; call += 1) await preparation.call("GET", "/flows?search=none+of+these");
  await page.mouse.up();
  await expect(page).toHaveURL(new RegExp(`/flows/${target}`));
  await page.goBack();
  await expect(search).toHaveValue("none of these");
  await expect(link).toBeHidden();
});

// The search has begun, and its answer comes while the button is down.
test("a list does not change under a pressed button", async ({ signedIn: page, preparation }) => {
  const target = await preparation.createFlow({ name: "Seen before", trigger: { type: "manual" }, nodes: [] });
  await page.goto("/flows");
  const link = page.locator(`a[href="/flows/${target}"]`).first();
  await expect(link).toBeVisible();
  const gate = Promise.withResolvers<void>();
  await page.route("**/api/v1/flows?*search=*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.getByRole("searchbox", { name: "Search flows" }).fill("none of these");
  await expect(page).toHaveURL(/search=none/);
  await link.hover();
  await page.mouse.down();
  const answered = page.waitForResponse((answer) => answer.url().includes("search=none"));
  gate.resolve();
  await (await answered).finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.mouse.up();
  await expect(page).toHaveURL(new RegExp(`/flows/${target}`));
  // One that is pressed beside all links only waits for the release.
  await page.goBack();
  await expect(link).toBeHidden();
});

test("the palette finds flows, runs and pages by words in any order, the best first", async ({
  signedIn: page,
  preparation,
}) => {
  const mark = `m${Date.now()}`;
  const flow = { trigger: { type: "manual" }, nodes: [{ id: "say", type: "log", config: { message: "hello" } }] };
  // More than the palette shows have it in their name, and come before by name.
  for (let index = 0; index < 9; index += 1)
    await preparation.createFlow({ ...flow, name: `A ${mark} order ${index}` });
  const target = await preparation.createFlow({ ...flow, name: `Order ${mark}: intake` });
  await preparation.run(target, {});
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  const search = page.getByRole("textbox", { name: "Search commands" });
  const first = page.getByRole("dialog").locator("[data-action]").first();
  await search.fill(`order ${mark}`);
  await expect(first).toContainText(`Order ${mark}: intake`);
  await search.fill(`intake ${mark} ord`);
  await expect(page.getByRole("button", { name: `Order ${mark}: intake: ` })).toBeVisible();
  await expect(page.getByText(`A ${mark} order`)).toHaveCount(0);
  await search.fill("keys settings");
  await expect(first).toHaveText("Settings: API keys");
  await search.fill(`ORDER ${mark}`);
  // Its run, whose name goes on, may be found before it.
  await expect(first).toContainText(new RegExp(`Order ${mark}: intake(?!:)`));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/flows/${target}`));

  await page.goto(`/flows?search=${mark}+int`);
  await expect(page.getByRole("link", { name: `Order ${mark}: intake` })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Order" })).toContainText("Best match first");
});

test("the palette opens from a code field too", async ({ signedIn: page, preparation }) => {
  const nodes = [{ id: "say", type: "code", name: "say", position: { x: 320, y: 0 }, config: { code: "return 1" } }];
  const flow = await preparation.createFlow({ name: "Coded", trigger: { type: "manual" }, nodes });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("say").click();
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("textbox", { name: "Search commands" })).toBeFocused();
});

// As a quick person under load: the key comes in the very turn in which the results are drawn.
test("Enter takes the first result however early it comes", async ({ signedIn: page, preparation }) => {
  const mark = `q${Date.now()}`;
  const target = await preparation.createFlow({ name: `Quick ${mark}`, trigger: { type: "manual" }, nodes: [] });
  const search = page.getByRole("textbox", { name: "Search commands" });
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  await search.fill(`nothing ${mark}`);
  await expect(page.getByText("No results")).toBeVisible();
  await page.evaluate((name) => {
    const isThere = () => document.querySelector("[data-action]")?.textContent?.includes(name) === true;
    const observer = new MutationObserver(() => {
      if (!isThere()) return;
      observer.disconnect();
      const key = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", key));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, `Quick ${mark}`);
  await search.fill(`quick ${mark}`);
  await expect(page).toHaveURL(new RegExp(`/flows/${target}`));
  await expect(search).toBeHidden();

  // Before anything is found: it takes what is found then.
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  await search.fill(`quick ${mark}`);
  await search.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/flows/${target}`));
});

test("a flow marked with a star is filtered with one click, and comes first in the palette", async ({
  signedIn: page,
  preparation,
}) => {
  const mark = `s${Date.now()}`;
  const id = await preparation.createFlow({ name: `Starred ${mark}`, trigger: { type: "manual" }, nodes: [] });
  await preparation.createFlow({ name: `Plain ${mark}`, trigger: { type: "manual" }, nodes: [] });
  await page.goto(`/flows?search=${mark}`);
  const star = page.getByRole("button", { name: `Favorite: Starred ${mark}` });
  await star.click();
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Favorites" }).click();
  await expect(page.getByRole("link", { name: `Plain ${mark}` })).toBeHidden();
  await expect(page.getByRole("link", { name: `Starred ${mark}` })).toBeVisible();
  await expect(page).toHaveURL(/favorite=true/);
  await page.reload();
  await expect(page.getByRole("link", { name: `Starred ${mark}` })).toBeVisible();

  await page.keyboard.press("ControlOrMeta+k");
  const first = page.getByRole("dialog").locator("[data-action]").first();
  await expect(first).toContainText(`Starred ${mark}`);
  await page.getByRole("textbox", { name: "Search commands" }).fill(mark);
  await expect(page.getByRole("dialog").getByText(`Plain ${mark}`)).toBeVisible();
  await expect(first).toContainText(`Starred ${mark}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/flows/${id}`));
  // In the editor's header too.
  await expect(star).toHaveAttribute("aria-pressed", "true");
  const removed = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await star.click();
  expect((await removed).status()).toBe(204);
  await page.reload();
  await expect(star).toHaveAttribute("aria-pressed", "false");
});

test("runs are filtered by a flow searched by name, however many there are", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Zebra ${Date.now()}`;
  const nodes = [{ id: "say", type: "log", config: { message: "hello" } }];
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  await preparation.run(flow, {});
  await page.goto("/runs");
  await page.getByRole("button", { name: "Flow: Any flow" }).click();
  const search = page.getByRole("combobox", { name: "Flow", exact: true });
  await expect(search).toBeFocused();
  await search.pressSequentially(name);
  await page.getByRole("option", { name }).click();
  await expect(page).toHaveURL(new RegExp(`flow=${flow}`));
  await expect(page.getByRole("button", { name: `Flow: ${name}` })).toBeVisible();
  await expect(page.getByRole("link", { name })).toHaveCount(1);
});

test("Enter before a search is answered does not choose a flow of the search before it", async ({
  signedIn: page,
  preparation,
}) => {
  const mark = Date.now();
  const nodes = [{ id: "say", type: "log", config: { message: "hello" } }];
  await preparation.createFlow({ name: `Earlier ${mark}`, trigger: { type: "manual" }, nodes });
  const later = await preparation.createFlow({ name: `Later ${mark}`, trigger: { type: "manual" }, nodes });
  const gate = Promise.withResolvers<void>();
  await page.route(/flows\?.*search=Later/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/runs");
  await page.getByRole("button", { name: "Flow: Any flow" }).click();
  const search = page.getByRole("combobox", { name: "Flow", exact: true });
  const answered = page.waitForResponse(/flows\?.*search=Earlier/);
  await search.fill(`Earlier ${mark}`);
  await answered;
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText([`Earlier ${mark}`]);
  const asked = page.waitForRequest(/flows\?.*search=Later/);
  await search.fill(`Later ${mark}`);
  await asked;
  await search.press("Enter");
  await expect(page.getByText("Searching…")).toBeVisible();
  gate.resolve();
  await expect(page.getByRole("option", { name: `Later ${mark}` })).toBeVisible();
  await search.press("ArrowDown");
  await search.press("Enter");
  await expect(page).toHaveURL(new RegExp(`flow=${later}`));
});

test("? shows the editor's shortcuts, but not while somebody types", async ({ signedIn: page, preparation }) => {
  await page.goto("/flows");
  await page.getByRole("searchbox", { name: "Search flows" }).press("Shift+?");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto(`/flows/${await preparation.createFlow({ name: "Keys", trigger: { type: "manual" }, nodes: [] })}`);
  await expect(page.locator('.react-flow__node[data-id="trigger"]')).toBeVisible();
  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" }).locator("kbd").first()).toBeVisible();
});

test("a tag of a flow in the list filters by it, and again shows all", async ({ signedIn: page, preparation }) => {
  const mark = `t${Date.now()}`;
  const flow = { trigger: { type: "manual" }, nodes: [] };
  await preparation.createFlow({ ...flow, name: `Tagged ${mark}`, tags: [mark] });
  await preparation.createFlow({ ...flow, name: `Untagged ${mark}` });
  await page.goto(`/flows?search=${mark}`);
  await page.getByRole("row").getByRole("button", { name: mark, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`tag=${mark}`));
  await expect(page.getByRole("link", { name: `Untagged ${mark}` })).toBeHidden();
  await page.getByRole("list", { name: "Favorites and tags" }).getByRole("button", { name: mark }).click();
  await page.getByRole("link", { name: `Untagged ${mark}` }).click();
  // It is offered to other flows.
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Flow settings" }).click();
  await page.getByRole("combobox", { name: "Tags" }).fill(mark.slice(0, -1));
  await page.getByRole("option", { name: mark }).click();
  await expect.poll(async () => (await preparation.call("GET", `/flows?tag=${mark}`)).length).toBe(2);
});
