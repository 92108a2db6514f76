import type { Locator } from "@playwright/test";
import { violationsInBoth } from "./accessibility.ts";
import { expect, test } from "./signed-in.ts";

test("the dark scheme survives a reload", async ({ signedIn: page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  const root = page.locator("html");
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.reload();
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("the first Tab reaches a link that skips to the content", async ({ signedIn: page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
});

test("the overview's choices leave room for a scrollbar that takes some", async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.evaluate(() => document.body.style.setProperty("width", "375px"));
  const period = page.getByRole("radiogroup", { name: "Period" });
  await expect.poll(async () => (await period.boundingBox())?.width).toBe(375 - 2 * 16);
});

test("a long form keeps what sends it in view", async ({ signedIn: page }) => {
  await page.goto("/credentials");
  await page.getByRole("button", { name: "New credential" }).first().click();
  const form = page.getByRole("dialog", { name: "New credential" });
  await form.getByRole("combobox", { name: "Type" }).selectOption("OAuth2");
  await expect(form.getByLabel("Client ID")).toBeVisible();
  await expect(form.getByRole("button", { name: "Create credential" })).toBeInViewport({ ratio: 1 });
});

test("the button that copies never covers what it copies", async ({ signedIn: page }) => {
  await page.goto("/reference");
  const copy = page.getByRole("button", { name: /^Copy/ }).first();
  await expect(copy).toBeVisible();
  const [text, button] = [await page.locator("pre").first().boundingBox(), await copy.boundingBox()];
  expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
});

test("text is copied over plain HTTP too, where browsers have no clipboard for pages", async ({ signedIn: page }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined }));
  await page.goto("/reference");
  const copy = page.getByRole("button", { name: /^Copy/ }).first();
  await copy.click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeFocused();
  const text = await page.locator("pre").first().textContent();
  const search = page.getByRole("searchbox").or(page.getByPlaceholder("Find an operation")).first();
  await search.press("ControlOrMeta+v");
  await expect(search).toHaveValue(text ?? "");
});

test("what a menu would delete can be read, in light or dark", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ name: "With a menu", trigger: { type: "manual" }, nodes: [] });
  await page.goto(`/flows/${flow}`);
  await page.getByRole("button", { name: "More about this flow" }).click();
  await expect(page.getByRole("menuitem", { name: "Delete the flow" })).toBeVisible();
  expect(await violationsInBoth(page, { within: "[role=menuitem]" })).toEqual([]);
});

test("a long error and a long name stay within their part of the overview", async ({ signedIn: page, preparation }) => {
  const transform = `$trigger.body.waits ? 1 : $trigger.body.none.${"long_".repeat(40)}`;
  const flow = await preparation.createFlow({
    name: "Long".repeat(50),
    trigger: { type: "manual" },
    nodes: [
      { id: "check", type: "transform", name: "Check", config: { transform } },
      { id: "wait", type: "delay", name: "Wait", config: { ms: 600_000 } },
    ],
    edges: [{ source: "check", target: "wait" }],
  });
  await preparation.run(flow, {});
  await preparation.run(flow, { waits: true });
  await page.setViewportSize({ width: 2560, height: 1300 });
  await page.goto(`/?flow=${flow}`);
  for (const name of ["Most common errors", "Running now"]) {
    const part = page.getByRole("region", { name });
    const text = part.getByRole("link").first().locator("span > span").first();
    await expect(text).toBeVisible();
    const [inner, outer] = [await text.boundingBox(), await part.boundingBox()];
    expect((inner?.x ?? 0) + (inner?.width ?? 0), name).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
    // On a very wide screen, nothing is stretched.
    expect(outer?.width, name).toBeLessThan(1_000);
  }
});

test.describe("at 390 px", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the navigation is behind a button", async ({ signedIn: page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Open the navigation" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Runs" }).click();
    await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
    await expect(page.getByRole("dialog")).toBeHidden();
  });

  test("no page is wider than the screen", async ({ signedIn: page, preparation }) => {
    const nodes = [{ id: "say", type: "log", name: "Say it", config: { message: "hello" } }];
    const flow = await preparation.createFlow({ name: "A narrow one", trigger: { type: "webhook" }, nodes });
    const run = await preparation.run(flow, { text: "a word ".repeat(60) });
    for (const path of ["/flows", `/flows/${flow}`, "/runs", `/runs/${run}`]) {
      await page.goto(path);
      await expect(page.getByText("A narrow one").filter({ visible: true }).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
    }
  });
});

test("a busy button has its mark in its middle, also without motion", async ({ signedIn: page }) => {
  await page.route("**/api/v1/api-keys", (route) => (route.request().method() === "POST" ? {} : route.continue()));
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "New key" }).click();
  const button = page.getByRole("dialog", { name: "New API key" }).getByRole("button", { name: "Create key" });
  await button.click();
  const middleOf = async (shown: Locator) => {
    const { x, y, width, height } = (await shown.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [mark, whole] = [await middleOf(button.locator(".mantine-Button-loader")), await middleOf(button)];
  expect(Math.hypot(mark.x - whole.x, mark.y - whole.y)).toBeLessThan(2);
});
