import { n8nDocument, n8nNode, set, webhook } from "#lib/n8n/testing/workflows.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const document = () =>
  n8nDocument(
    "From n8n",
    [
      webhook(),
      set("Hello", { text: "=Hello {{ $json.body.name }}" }),
      n8nNode("WhatsApp", "whatsApp", { text: "={{ $json.text }}" }),
      n8nNode("Sticky Note", "stickyNote", { content: "Say hello", width: 300, height: 200 }),
    ],
    ["Webhook -> Hello", "Hello -> WhatsApp"],
  );

// Proves flows.import.n8n-editor
test("an n8n workflow is pasted, its report links to the card of a gap, and fixed gaps disappear", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await page.goto("/flows/new");
  await expect(page.getByRole("link", { name: /Form to CRM/ })).toBeVisible();
  await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(document()));
  await page.keyboard.press("ControlOrMeta+v");
  await expect(page.getByRole("heading", { name: "From n8n", level: 1 })).toBeAttached();
  const report = page.getByRole("complementary", { name: "Import report" });
  await expect(report.getByRole("listitem")).toHaveCount(2);
  await expect(report).toContainText("there is no node like it");
  // The report leaves the whole flow in view.
  for (const id of ["hello", "whatsapp"]) await expect(editor.node(id)).toBeInViewport({ ratio: 0.95 });
  await expect(page.getByText("Say hello")).toBeVisible();

  await report.getByRole("button", { name: "Show the node: WhatsApp" }).click();
  await expect(page.getByRole("complementary", { name: "Node", exact: true })).toBeVisible();
  await expect(page).toHaveURL(/node=whatsapp/);

  const bar = page.getByRole("region", { name: "Import from n8n" });
  await expect(bar).toContainText("2 things to fix");
  await bar.getByRole("button", { name: "Show the report" }).click();
  await report.getByRole("button", { name: "Mark as fixed: WhatsApp" }).click();
  await expect(report.getByRole("listitem")).toHaveCount(1);
  await report.getByRole("button", { name: "Mark as fixed: Webhook" }).click();
  await expect(bar).toHaveCount(0);
  await editor.saved();
  await page.reload();
  await expect(editor.node("hello")).toBeVisible();
  await expect(bar).toHaveCount(0);

  const flow = await preparation.createFlow({ name: "Another", trigger: { type: "manual" }, nodes: [] });
  await editor.open(flow);
  await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(document()));
  await editor.node("trigger").focus();
  await page.keyboard.press("ControlOrMeta+v");
  await page.getByRole("button", { name: "Import it" }).click();
  await expect(report.getByRole("listitem")).toHaveCount(2);
});

test("a credential that an imported flow needs is created from its report", async ({ signedIn: page }) => {
  const credentials = { smtp: { id: "4", name: "Mail server" } };
  const send = n8nNode("Send", "emailSend", { toEmail: "ann@example.com" }, { version: 2.1, credentials });
  await page.goto("/flows/new");
  await expect(page.getByRole("link", { name: /Form to CRM/ })).toBeVisible();
  const text = JSON.stringify(n8nDocument("Mails", [webhook(), send], ["Webhook -> Send"]));
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+v");
  const report = page.getByRole("complementary", { name: "Import report" });
  const gap = report.getByRole("listitem").filter({ hasText: "Mail server" });
  await gap.getByRole("button", { name: "Create credential" }).click();
  const form = page.getByRole("dialog", { name: "New credential" });
  await expect(form.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("mailServer");
  await form.getByRole("textbox", { name: "Host", exact: true }).fill("localhost");
  await form.getByRole("textbox", { name: "Port" }).fill("2525");
  await form.getByRole("textbox", { name: "Sender" }).fill("shop@example.com");
  await form.getByRole("button", { name: "Create credential" }).click();
  await expect(gap).toHaveCount(0);
});
