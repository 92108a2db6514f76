import type { Page } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

/** Answers calls of the API as a proxy does whose server is away. */
const goAway = (page: Page) =>
  page.route("**/api/v1/**", (route) =>
    route.fulfill({ status: 503, headers: { "retry-after": "5" }, contentType: "text/html", body: "<h1>503</h1>" }),
  );

/** Waits for the part that shows messages: it is loaded after the page, and cannot be loaded offline. */
const untilMessages = (page: Page) =>
  page.locator(".mantine-Notifications-root").first().waitFor({ state: "attached" });

test("a list that cannot be refreshed says since when it is old, and no longer once it can", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Stale ${Date.now()}`;
  await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [] });
  // What the page reads again by itself.
  const health = page.waitForResponse(/\/executions\/recent/);
  await page.goto(`/flows?search=${encodeURIComponent(name)}`);
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toBeVisible();
  await (await health).finished();
  const before = await row.boundingBox();
  await goAway(page);
  const notice = page
    .getByRole("status")
    .filter({ hasText: "This page cannot be refreshed. The server did not answer." });
  await expect(notice).toContainText(/The data shown is from \d\d:\d\d\./, { timeout: 30_000 });
  await expect(row).toBeVisible();
  expect(await row.boundingBox()).toEqual(before);
  await page.unrouteAll();
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toBeHidden();
});

test("the overview keeps its figures when they cannot be read again", async ({ signedIn: page, preparation }) => {
  const nodes = [{ id: "say", type: "log", name: "Say", config: { message: "x" } }];
  const flow = await preparation.createFlow({ name: "Counted", trigger: { type: "manual" }, nodes });
  await preparation.run(flow, {});
  await page.goto("/");
  await expect(page.getByText("Success rate")).toBeVisible();
  await goAway(page);
  await expect(page.getByText("This page cannot be refreshed.")).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText("Success rate")).toBeVisible();
});

// The page comes with its current runs; those of a flow chosen later are read by the browser.
test("the overview says that the current runs could not be loaded, and shows them once they are", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Ran ${Date.now()}`;
  const nodes = [{ id: "say", type: "log", name: "Say", config: { message: "x" } }];
  await preparation.run(await preparation.createFlow({ name, trigger: { type: "manual" }, nodes }), {});
  await page.goto("/");
  const panel = page.getByRole("region", { name: "Running now", exact: true });
  await expect(panel).toBeVisible();
  await page.route(/\/executions\?.*status=running/, (route) => route.abort());
  await page.getByRole("button", { name: "Flow: Any flow" }).click();
  await page.getByRole("combobox", { name: "Flow", exact: true }).fill(name);
  await page.getByRole("option", { name }).click();
  await expect(panel).toContainText("The current runs could not be loaded.");
  await page.unrouteAll();
  await expect(panel).toContainText("Nothing is running.");
});

test("a link that is clicked offline leaves the page as it is, and works again online", async ({
  signedIn: page,
  context,
}) => {
  await page.goto("/flows");
  await untilMessages(page);
  await context.setOffline(true);
  await expect(page.getByRole("status").filter({ hasText: "You are offline." })).toBeVisible();
  const runs = page.getByRole("link", { name: "Runs", exact: true });
  for (let times = 0; times < 2; times += 1) {
    await runs.click();
    const toast = page.getByRole("alert").filter({ hasText: "The page was not opened. You are offline." });
    await expect(toast).toHaveCount(1);
    await expect(page.getByRole("heading", { name: "Flows", level: 1 })).toBeVisible();
    await expect(page).toHaveURL(/\/flows$/);
    await toast.getByRole("button", { name: "Dismiss" }).click();
    await expect(toast).toHaveCount(0);
  }
  await context.setOffline(false);
  await runs.click();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
  await expect(page.getByText("You are offline.")).toBeHidden();
});

test("the browser's Back says that the page could not be loaded, until the server answers", async ({
  signedIn: page,
}) => {
  await page.goto("/flows");
  await untilMessages(page);
  await page.getByRole("link", { name: "Alerts", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Alerts", level: 1 })).toBeVisible();
  // Forgets the page before, which is requested again then.
  await page.reload();
  await untilMessages(page);
  const isForPage = (url: URL) => url.searchParams.has("_rsc");
  await page.route(isForPage, (route) =>
    route.fulfill({ status: 503, contentType: "text/html", body: "<h1>503</h1>" }),
  );
  await page.goBack();
  const toast = page.getByRole("alert").filter({ hasText: "The page could not be loaded yet." });
  await expect(toast).toContainText("It appears as soon as the server answers.");
  await page.unroute(isForPage);
  await expect(page.getByRole("heading", { name: "Flows", level: 1 })).toBeVisible();
  await expect(toast).toBeHidden();
});

test("trying again to load a part offline says so, in place of the browser's own error", async ({
  signedIn: page,
  context,
}) => {
  await page.goto("/flows");
  await page.waitForLoadState("networkidle");
  await page.route("**/_next/static/**", (route) => route.abort());
  await page.getByRole("row").getByRole("checkbox").first().check();
  await expect(page.getByRole("heading", { name: "This page could not be shown" })).toBeVisible();
  await expect(page.getByText("A part of it could not be loaded.")).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The server still does not answer.")).toBeVisible();
});

test("flows do not move when the health of each arrives, on a phone", async ({ signedIn: page, preparation }) => {
  const name = `Steady ${Date.now()}`;
  const nodes = [{ id: "say", type: "log", name: "Say", config: { message: "x" } }];
  for (const one of [`${name} a`, `${name} b`]) {
    const flow = await preparation.createFlow({ name: one, trigger: { type: "manual" }, nodes, tags: ["steady"] });
    await preparation.run(flow, {});
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/v1/executions/recent**", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`/flows?search=${encodeURIComponent(name)}`);
  const rows = page.getByRole("row").filter({ hasText: name });
  await expect(rows).toHaveCount(2);
  const places = async () => await Promise.all((await rows.all()).map((row) => row.boundingBox()));
  await page.waitForLoadState("domcontentloaded");
  const before = await places();
  release();
  await expect(page.getByRole("img", { name: /of the last/ })).toHaveCount(2);
  expect(await places()).toEqual(before);
});

test("invitations that could not be read say so", async ({ signedIn: page }) => {
  await page.route("**/api/v1/invitations**", (route) => route.abort());
  await page.goto("/settings/members");
  await expect(page.getByRole("alert").filter({ hasText: "The invitations could not be loaded" })).toBeVisible();
});

test("the line that a page is old does not cover the foot of a table", async ({
  signedIn: page,
  preparation,
  context,
}) => {
  const columns = [{ name: "a", type: "text" }];
  const { id } = await preparation.call("POST", "/tables", { name: `foot_${Date.now()}`, columns });
  await page.goto(`/tables/${id}`);
  const foot = page.getByRole("status").filter({ hasText: "0 rows" });
  await expect(foot).toBeVisible();
  await untilMessages(page);
  await context.setOffline(true);
  const notice = await page.getByRole("status").filter({ hasText: "You are offline." }).boundingBox();
  const rows = await foot.boundingBox();
  expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThanOrEqual(rows?.y ?? 0);
});

test("a form can be closed when its change is not answered for long, and says that it may have been made", async ({
  signedIn: page,
}) => {
  await page.clock.install();
  await page.route("**/api/v1/api-keys", (route) => (route.request().method() === "POST" ? {} : route.continue()));
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await dialog.getByLabel("Name").fill("unanswered");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(dialog.getByRole("status")).toContainText("The server has not answered yet.");
  await dialog.getByText("Close", { exact: true }).click();
  await expect(dialog).toBeHidden();
});

test("the overview does not say that nothing ran while it cannot know", async ({ signedIn: page, preparation }) => {
  const flow = await preparation.createFlow({ name: "Never ran", trigger: { type: "manual" }, nodes: [] });
  await page.route(/\/executions\?limit=1$/, (route) => route.abort());
  await page.goto(`/?flow=${flow}`);
  await expect(page.getByText("Success rate")).toBeVisible();
  await expect(page.getByText("Nothing has run yet.")).toHaveCount(0);
});
