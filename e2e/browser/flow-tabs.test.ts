import { violations } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const nodes = [{ id: "say", type: "log", name: "Say", position: { x: 320, y: 0 }, config: { message: "hello" } }];

test("a flow's tabs have addresses, and the editor is as it was when one comes back", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "In tabs", trigger: { type: "manual" }, nodes });
  await preparation.run(flow, {});
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("say");
  await editor.write("Message", "changed");
  const tabs = page.getByRole("navigation", { name: "Flow", exact: true });

  await tabs.getByRole("link", { name: "Runs" }).click();
  await expect(page).toHaveURL(`/flows/${flow}/runs`);
  await expect(page.getByRole("region", { name: "Runs", exact: true }).getByText("Completed")).toBeVisible();
  // What the editor would take as a shortcut is not one here.
  await page.keyboard.press("Delete");
  await tabs.getByRole("link", { name: "Versions" }).click();
  await expect(page.getByLabel("Name of version 1")).toBeVisible();
  await tabs.getByRole("link", { name: "Tests" }).click();
  await expect(page.getByRole("heading", { name: "Tests" })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await tabs.getByRole("link", { name: "Editor" }).click();
  await expect(page).toHaveURL(`/flows/${flow}?node=say`);
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toHaveText("changed");
  await page.goBack();
  await expect(page).toHaveURL(`/flows/${flow}/tests`);
  await page.goto(`/flows/${flow}/versions`);
  await expect(page.getByLabel("Name of version 1")).toBeVisible();
});

test.describe("at 390 px", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the tabs are there to read", async ({ signedIn: page, preparation }) => {
    const flow = await preparation.createFlow({ name: "In narrow tabs", trigger: { type: "manual" }, nodes });
    await preparation.run(flow, {});
    await page.goto(`/flows/${flow}`);
    const tabs = page.getByRole("navigation", { name: "Flow", exact: true });
    for (const [tab, text] of [
      ["Runs", "Completed"],
      ["Versions", "Version 1"],
      ["Tests", "This flow has no tests yet"],
    ] as const) {
      await tabs.getByRole("link", { name: tab }).click();
      await expect(page.getByText(text).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
  });
});
