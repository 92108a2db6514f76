// What opens over a page: it takes the focus, breaks no accessibility rule, closes with Escape and returns the focus.
import type { Page } from "@playwright/test";
import { violationsInBoth } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, type Preparation, test } from "./signed-in.ts";

interface Overlay {
  readonly path: string;
  readonly opener: string | RegExp;
  /** Whether the opener opens a menu; the entry, if any, that opens a dialog from there. */
  readonly menu?: boolean | string;
}

async function overlays(preparation: Preparation): Promise<Overlay[]> {
  const name = `over_${crypto.randomUUID().slice(0, 8)}`;
  const failing = { id: "work", type: "transform", name: "Work", config: { transform: "$trigger.body.a.b" } };
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [failing] });
  const run = await preparation.run(flow, { a: {} });
  const table = await preparation.call("POST", "/tables", { name, columns: [{ name: "email", type: "text" }] });
  await preparation.call("POST", "/credentials", { name, type: "secret", data: { value: "a secret" } });
  await preparation.call("POST", "/api-keys", { name });
  const ofRow = `Actions for ${name}`;
  return [
    { path: "/flows", opener: /^Account of/, menu: true },
    { path: `/flows?search=${name}`, opener: ofRow, menu: true },
    { path: `/flows?search=${name}`, opener: ofRow, menu: "Delete" },
    { path: `/flows/${flow}`, opener: "More about this flow", menu: true },
    { path: `/flows/${flow}`, opener: "More about this flow", menu: "Delete the flow" },
    { path: `/flows/${flow}`, opener: "Run" },
    { path: "/runs", opener: "Saved filters", menu: true },
    { path: `/runs/${run}`, opener: "More actions", menu: true },
    { path: `/runs/${run}`, opener: "Run again" },
    { path: "/tables", opener: "New table" },
    { path: "/tables", opener: ofRow, menu: "Delete" },
    { path: `/tables/${table.id}`, opener: "Add column" },
    { path: "/credentials", opener: "New credential" },
    { path: "/credentials", opener: ofRow, menu: "Edit" },
    { path: "/webhooks", opener: "New subscription" },
    { path: "/alerts", opener: "New rule" },
    { path: "/settings/api-keys", opener: "New key" },
    { path: "/settings/api-keys", opener: ofRow, menu: "Revoke" },
    { path: "/settings/members", opener: "Invite" },
  ];
}

async function expectOverlay(page: Page, { opener, menu }: Overlay): Promise<void> {
  const button = page.getByRole("button", { name: opener, exact: true }).filter({ visible: true }).first();
  await button.press("Enter");
  let role = menu === undefined ? "dialog" : "menu";
  if (typeof menu === "string") {
    await page.getByRole("menuitem", { name: menu, exact: true }).press("Enter");
    role = "dialog";
  }
  const shown = page.locator(`[role=${role}]`).filter({ visible: true });
  await expect.poll(() => shown.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  expect.soft(await violationsInBoth(page, { within: `[role=${role}]` })).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(shown).toBeHidden();
  await expect.soft(button).toBeFocused({ timeout: 5_000 });
}

test("dialogs and menus take the focus, break no accessibility rule, and return the focus", async ({
  signedIn: page,
  preparation,
}) => {
  test.setTimeout(300_000);
  for (const overlay of await overlays(preparation)) {
    await test.step(`${overlay.path} ${overlay.opener} ${overlay.menu ?? ""}`, async () => {
      if (overlay.path.startsWith("/flows/")) await new EditorPage(page).open(overlay.path.slice("/flows/".length));
      else await page.goto(overlay.path);
      await expectOverlay(page, overlay);
    });
  }
});
