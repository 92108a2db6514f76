import { expect, test } from "./signed-in.ts";

test("a dialog that could not be loaded is loaded when tried again, and the page stays", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `kept_${Date.now()}`;
  await preparation.call("POST", "/credentials", { name, type: "secret", data: { value: "a secret" } });
  await page.goto(`/credentials?search=${name}`);
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.route("**/_next/static/**", (route) => route.abort());
  await page.getByRole("button", { name: "New credential" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "This could not be loaded" });
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(notice).toHaveCount(0);
  await page.getByRole("button", { name: "New credential" }).click();
  await expect(notice).toBeVisible();
  await expect(row).toBeVisible();
  await page.unroute("**/_next/static/**");
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("dialog", { name: "New credential" })).toBeVisible();
});

test("a page of which a part could not be loaded is back when tried again", async ({ signedIn: page, preparation }) => {
  const name = `Back ${Date.now()}`;
  await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [] });
  await page.goto(`/flows?search=${encodeURIComponent(name)}`);
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.route("**/_next/static/**", (route) => route.abort());
  await row.getByRole("checkbox").click();
  await expect(page.getByRole("heading", { name: "This page could not be shown" })).toBeVisible();
  await page.unroute("**/_next/static/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(row).toBeVisible();
});

test("the page stays while a part of the overview cannot be loaded, and loading is retried", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [{ id: "say", type: "log", config: { message: "x" } }];
  await preparation.run(await preparation.createFlow({ name: "Overseen", trigger: { type: "manual" }, nodes }), {});
  let isAway = true;
  let refused = 0;
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    const answer = await route.fetch();
    if (!isAway || !(await answer.text()).includes("Nothing is running."))
      return await route.fulfill({ response: answer });
    await route.abort();
    refused += 1;
  });
  const read = page.waitForRequest((request) => /\/executions\?.*status=running/.test(request.url()));
  await page.goto("/");
  await expect.poll(() => refused).toBeGreaterThan(2);
  await expect(page.getByText("Success rate")).toBeVisible();
  isAway = false;
  await read;
  await expect(page.getByText("Success rate")).toBeVisible();
});

test("a part of the overview whose code is gone says so and offers the page anew", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [{ id: "say", type: "log", config: { message: "x" } }];
  await preparation.run(await preparation.createFlow({ name: "Updated", trigger: { type: "manual" }, nodes }), {});
  // As after an update: the server has other files, and other pages that ask for them.
  let isUpdated = false;
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    const answer = await route.fetch();
    if (isUpdated || !(await answer.text()).includes("Nothing is running.")) await route.fulfill({ response: answer });
    else await route.fulfill({ status: 404, body: "" });
  });
  await page.goto("/settings/members");
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await expect(page.getByText("Success rate")).toBeVisible();
  const notice = page.getByRole("alert").filter({ hasText: "This part could not be loaded" });
  await expect(notice).toBeVisible();
  const fresh = page.waitForEvent("load");
  // Not before the page is asked for: the old one goes on asking for its part.
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      isUpdated = true;
      await route.continue();
    },
  );
  await notice.getByRole("button", { name: "Reload the page" }).click();
  await fresh;
  await expect(page.getByRole("region", { name: "Running now", exact: true })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test("a dialog whose code is gone is there after the page was reloaded, when it is tried again twice", async ({
  signedIn: page,
}) => {
  await page.goto("/credentials");
  await page.waitForLoadState("networkidle");
  await page.route("**/_next/static/**", (route) => route.fulfill({ status: 404, body: "" }));
  await page.getByRole("button", { name: "New credential" }).click();
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await Promise.all([page.waitForResponse((answer) => answer.status() === 404), again.click()]);
  await expect(again).toBeVisible();
  await page.unroute("**/_next/static/**");
  await Promise.all([page.waitForEvent("load"), again.click()]);
  await page.getByRole("button", { name: "New credential" }).click();
  await expect(page.getByRole("dialog", { name: "New credential" })).toBeVisible();
});
