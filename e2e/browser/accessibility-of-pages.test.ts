import type { Page } from "@playwright/test";
import { violations, violationsInBoth } from "./accessibility.ts";
import { expect, type Preparation, test } from "./signed-in.ts";

/** Every page outside the editor with content, and what is visible then. */
async function filledPages(preparation: Preparation): Promise<readonly (readonly [path: string, shown: string])[]> {
  const failing = { id: "work", type: "transform", name: "Work", config: { transform: "$trigger.body.a.b" } };
  const flow = await preparation.createFlow({
    name: "Reached by everybody",
    tags: ["shared"],
    trigger: { type: "manual" },
    nodes: [{ id: "first", type: "log", name: "First", config: { message: "hello" } }, failing],
    edges: [{ source: "first", target: "work" }],
  });
  const run = await preparation.run(flow, {});
  await preparation.run(flow, { a: { b: 1 } });
  const hook = await preparation.call("POST", "/webhooks", {
    url: "http://127.0.0.1:9999/nobody-there",
    events: ["execution.failed"],
  });
  await preparation.call("POST", `/webhooks/${hook.id}/test`, {});
  await preparation.call("POST", "/alert-rules", { name: "Fails", kind: "failures_in_row", flowId: flow });
  const name = `reached_${Date.now()}`;
  await preparation.call("POST", "/credentials", { name, type: "secret", data: { value: "a secret" } });
  await preparation.call("POST", "/api-keys", { name });
  const document = { openapi: "3.1.0", paths: { "/reached": { get: { operationId: "reached", responses: {} } } } };
  await preparation.call("POST", "/services", { name, document });
  const columns = [
    { name: "email", type: "text", unique: true, required: true },
    { name: "orders", type: "number" },
    { name: "since", type: "time" },
    { name: "more", type: "json" },
  ];
  const table = await preparation.call("POST", "/tables", { name, columns });
  const row = { email: "ada@example.com", orders: 3, since: "2026-01-31", more: { size: [1, 2] } };
  await preparation.call("POST", `/tables/${table.id}/rows`, row);
  const filter = encodeURIComponent('{"email": {"contains": "ada"}}');
  return [
    ["/", "Most common errors"],
    ["/flows?search=Reached", "Reached by everybody"],
    [`/runs?flow=${flow}`, "Reached by everybody"],
    ["/runs?search=nothing-has-this-in-it", "No run matches"],
    [`/runs/${run}`, "Work failed"],
    [`/runs/${run}?node=work`, "cannot read"],
    [`/runs/${run}/compare`, "differences"],
    ["/alerts", "Fails"],
    ["/webhooks", "nobody-there"],
    [`/webhooks/${hook.id}`, "execution.failed"],
    ["/credentials", name],
    ["/services", name],
    ["/tables", name],
    [`/tables/${table.id}`, "ada@example.com"],
    [`/tables/${table.id}?where=${filter}`, "ada@example.com"],
    ["/tables/table_nothing", "could not be loaded"],
    ["/settings/api-keys", name],
    ["/settings/members", "Two-factor"],
    ["/settings/account", "Password"],
    ["/settings/workspace", "Time zone"],
    ["/settings/audit-log", "created"],
    ["/runs/exec_nothing", "could not be loaded"],
    ["/nowhere", "Page not found"],
  ];
}

/** What only screen readers see takes no room: clipped but as wide as its content, it would make a page scroll sideways. */
function wideButUnseen(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>("*")]
      .filter((element) => getComputedStyle(element).clipPath === "inset(50%)" && element.offsetWidth > 1)
      .map((element) => element.outerHTML.slice(0, 160)),
  );
}

async function show(page: Page, path: string, shown: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
}

/** A stylesheet that is fetched ahead but not used costs every visit. */
async function expectUsedStylesheets(page: Page, path: string): Promise<void> {
  const unused = () =>
    page.evaluate(() => {
      const used = new Set([...document.styleSheets].map(({ href }) => href));
      const ahead = document.querySelectorAll<HTMLLinkElement>("link[rel=preload][as=style]");
      return [...ahead].map(({ href }) => href).filter((href) => !used.has(href));
    });
  await expect.poll(unused, path).toEqual([]);
}

async function expectToFit(page: Page, path: string, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
  expect(await wideButUnseen(page), path).toEqual([]);
}

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };
const parts = 4;

test.describe.configure({ mode: "parallel" });

for (let part = 0; part < parts; part += 1) {
  test(`no page breaks an accessibility rule or fetches too much, wide or narrow, light or dark (${part + 1} of ${parts})`, async ({
    signedIn: page,
    preparation,
  }) => {
    test.setTimeout(600_000);
    const pages = (await filledPages(preparation)).filter((_, index) => index % parts === part);
    for (const [path, shown] of pages) {
      await page.setViewportSize(wide);
      await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
      await show(page, path, shown);
      await expectToFit(page, path, wide.width);
      await expectUsedStylesheets(page, path);
      expect(await violationsInBoth(page), path).toEqual([]);
      await page.setViewportSize(narrow);
      await show(page, path, shown);
      await expectToFit(page, path, narrow.width);
      expect(await violations(page, { colours: "without" }), `${path} at ${narrow.width} px`).toEqual([]);
    }
  });
}

test("the palette breaks none either, in light or dark", async ({ signedIn: page }) => {
  await page.goto("/flows");
  await page.getByRole("button", { name: "Search" }).filter({ visible: true }).click();
  await expect(page.getByRole("textbox", { name: "Search commands" })).toBeVisible();
  expect(await violationsInBoth(page, { within: "[role=dialog]" })).toEqual([]);
});
