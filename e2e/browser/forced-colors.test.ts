import type { Locator } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

const background = (element: Locator) => element.evaluate((it) => getComputedStyle(it).backgroundColor);

test.use({ forcedColors: "active" });

test("what is chosen differs from the rest where the system forces its colors", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Forced ${Date.now()}`;
  const tag = `forced-${Date.now()}`;
  await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [], tags: [tag] });
  await page.goto(`/flows?tag=${tag}`);
  const places = page.getByRole("navigation", { name: "Main" });
  expect(await background(places.getByRole("link", { name: "Flows" }))).not.toBe(
    await background(places.getByRole("link", { name: "Runs" })),
  );
  const folders = page.getByRole("list", { name: "Favorites and tags" });
  const chosen = folders.getByRole("button", { pressed: true });
  await expect(chosen).toContainText(tag);
  expect(await background(chosen)).not.toBe(await background(folders.getByRole("button", { name: "All" })));
  await page.goto("/settings/members");
  const settings = page.getByRole("navigation", { name: "Settings" });
  expect(await background(settings.getByRole("link", { name: "Members" }))).not.toBe(
    await background(settings.getByRole("link", { name: "Account" })),
  );
  await page.goto("/");
  await page.keyboard.press("Control+k");
  const commands = page.getByRole("dialog");
  await expect(commands.getByRole("button", { name: "New flow" })).toBeVisible();
  const selected = commands.locator("[data-selected]");
  // The first press may come before the commands can be selected.
  await expect(async () => {
    await page.keyboard.press("ArrowDown");
    await expect(selected).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  expect(await background(selected)).not.toBe(await background(commands.getByRole("button", { name: "Flows" })));
  await page.keyboard.press("Escape");
  const indicator = page.locator(".mantine-SegmentedControl-indicator");
  expect(await background(indicator)).not.toBe(await background(page.locator("body")));
});

test("the colors of charts are kept where the system forces its own", async ({ signedIn: page, preparation }) => {
  const name = `Colored ${Date.now()}`;
  const nodes = [{ id: "stop", type: "stop", config: { status: "failed", message: "no" } }];
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  const run = await preparation.run(flow, {});
  await page.goto(`/flows?search=${encodeURIComponent(name)}`);
  const surface = await background(page.locator("body"));
  const bar = page.getByRole("img", { name: "1 of the last 1 failed" }).locator("[data-status=failed]");
  expect(await background(bar)).not.toBe(surface);
  await page.goto(`/runs/${run}`);
  const ran = page.locator("[data-status=failed] [data-kind=run]");
  expect(await background(ran.first())).not.toBe(surface);
});
