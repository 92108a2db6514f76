import { violations } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const form = {
  title: "Pay the invoice?",
  description: "Muller AG: 120",
  fields: [
    { name: "note", label: "Note", type: "textarea", required: true },
    { name: "amount", label: "Amount", type: "number" },
  ],
  actions: [
    { id: "approve", label: "Approve" },
    { id: "reject", fieldsOptional: true },
  ],
};
const approvalFlow = {
  name: "Pay invoices",
  trigger: { type: "manual" },
  nodes: [
    { id: "ask", type: "wait", name: "Approval", position: { x: 320, y: 0 }, config: { form } },
    {
      id: "go",
      type: "transform",
      name: "Pay",
      position: { x: 640, y: 0 },
      config: { transform: "$node.output.body" },
    },
  ],
  edges: [{ source: "ask", target: "go" }],
};

test("what waits for people is on the overview, in the list and on the run, and is answered there", async ({
  signedIn: page,
  preparation,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const flow = await preparation.createFlow(approvalFlow);
  const run = await preparation.run(flow, {});
  await expect.poll(async () => (await preparation.call("GET", `/executions/${run}`)).waitingFor).toBe("approval");

  await page.goto("/runs?status=running");
  await expect(page.getByRole("row").filter({ hasText: "Pay invoices" }).first()).toContainText("Waiting for approval");
  await page.goto(`/?flow=${flow}`);
  await page.getByRole("region", { name: "In short" }).locator(`a[href^="/runs/${run}"]`).click();

  await expect(page.locator("header").filter({ hasText: "Pay invoices" })).toContainText("Waiting for approval");
  const approval = page.getByRole("form", { name: "Pay the invoice?" });
  await expect(approval).toContainText("Muller AG: 120");
  await expect(page.getByRole("form")).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Copy form link" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/resume\/exec_/);

  await approval.getByRole("button", { name: "Approve" }).click();
  await expect(approval).toContainText("Note is required");
  await approval.getByLabel("Note").fill("As agreed");
  await approval.getByLabel("Amount").fill("120");
  await approval.getByRole("button", { name: "Approve" }).click();
  await expect(page.locator("header").filter({ hasText: "Pay invoices" })).toContainText("Completed");
  await page
    .getByRole("region", { name: "Nodes" })
    .getByRole("button", { name: /Approval/ })
    .click();
  await expect(page.getByText(/^Answered by /)).toBeVisible();
  await expect(page.getByLabel("Output of the run")).toContainText("As agreed");
});

test("a form is answered in the editor, where the card says what it waits for", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow(approvalFlow));
  await editor.runWith({});
  await expect(editor.node("ask")).toContainText("Waiting for approval");
  await expect(editor.run).toContainText("Waiting for approval");
  // While another node is selected, the drawer shows that node, and leads to the form.
  await editor.select("go");
  await editor.run.getByRole("button", { name: "Answer “Approval”" }).click();
  const approval = editor.run.getByRole("form", { name: "Pay the invoice?" });
  await approval.getByRole("button", { name: "reject" }).click();
  await expect(editor.run).toContainText("Completed");
  // The focus does not go with the form.
  await expect(editor.run).toBeFocused();
  await editor.select("ask");
  await expect(editor.run).toContainText("Answered by");
});
