import type { Page } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

/** The texts that begin in Hebrew but have the direction of what is around: punctuation is then on the wrong side. */
const misplaced = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode as Text;
      if (!/^\P{L}*\p{Script=Hebrew}/u.test(data) || parentElement?.checkVisibility() !== true) continue;
      const isOwn = getComputedStyle(parentElement).unicodeBidi === "plaintext" || parentElement.dir === "auto";
      if (!isOwn && parentElement.matches(":not(bdi, script, .unseen)")) found.push(data);
    }
    return found;
  });

test("names and messages in Hebrew keep their direction in lists, titles and on a run's page", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `הזמנות ${Date.now()}!`;
  const stop = { id: "stop", type: "stop", name: "עצור!", config: { status: "failed", message: "נכשל!" } };
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes: [stop], tags: ["דחוף!"] });
  const run = await preparation.run(flow, {});
  const columns = [{ name: "who", type: "text" }];
  const table = await preparation.call("POST", "/tables", { name: `names_${Date.now()}`, columns });
  await preparation.call("POST", `/tables/${table.id}/rows`, { who: "דנה!" });
  await preparation.call("POST", "/api-keys", { name: "מפתח!", scopes: ["flows:read"] });
  for (const [path, shown] of [
    [`/flows?search=${encodeURIComponent(name)}`, name],
    [`/runs?flow=${flow}`, "נכשל!"],
    [`/runs/${run}`, "עצור!"],
    [`/tables/${table.id}`, "דנה!"],
    ["/settings/api-keys", "מפתח!"],
    [`/?flow=${flow}`, "נכשל!"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("main").getByText(shown, { exact: true }).first()).toBeVisible();
    expect([path, await misplaced(page)]).toEqual([path, []]);
  }
});
