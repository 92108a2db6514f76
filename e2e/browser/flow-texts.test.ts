import { readFile } from "node:fs/promises";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

// Proves flows.import.yaml-editor
test("a flow goes out as YAML from the list, and comes back pasted or as a file", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const nodes = [{ id: "say", type: "log", config: { message: "Hello" } }];
  await preparation.createFlow({ name: "As text", trigger: { type: "manual" }, nodes });
  await page.goto("/flows?search=As+text");
  await page.getByRole("button", { name: "Actions for As text" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as YAML" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("As-text.yaml");
  const path = await download.path();
  const text = await readFile(path, "utf8");
  expect(text).toContain("message: Hello");

  await page.goto("/flows/new");
  await expect(page.getByRole("link", { name: /Form to CRM/ })).toBeVisible();
  await page.evaluate((given) => navigator.clipboard.writeText(given), text.replace("As text", "Pasted"));
  await page.keyboard.press("ControlOrMeta+v");
  await expect(page.getByRole("heading", { name: "Pasted", level: 1 })).toBeAttached();
  await expect(editor.node("say")).toBeVisible();

  await page.goto("/flows");
  const file = {
    name: "flow.yaml",
    mimeType: "application/yaml",
    buffer: Buffer.from(text.replace("As text", "From a file")),
  };
  await page.getByLabel("Exported flow").setInputFiles(file);
  await expect(page.getByRole("heading", { name: "From a file", level: 1 })).toBeAttached();
  await expect(editor.node("say")).toBeVisible();
});
