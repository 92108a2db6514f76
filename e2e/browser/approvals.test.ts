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

test("the forms that a loop's items wait for say which item they are for; the loop says that it waits", async ({
  signedIn: page,
  preparation,
}) => {
  const ask = { id: "ask", type: "wait", name: "Approval", position: { x: 320, y: 0 }, config: { form } };
  const body = { nodes: [ask], edges: [] };
  const config = { items: "$trigger.body.invoices", concurrency: 10, body };
  const each = { id: "each", type: "loop", name: "Each invoice", position: { x: 320, y: 0 }, config };
  const flow = await preparation.createFlow({ name: "Pay many", trigger: { type: "manual" }, nodes: [each] });
  const run = await preparation.run(flow, { invoices: ["a", "b", "c", "d", "e", "f", "g"] });
  await expect.poll(async () => (await preparation.call("GET", `/executions/${run}/waits`)).length).toBe(7);
  await page.goto(`/runs/${run}`);
  const notes = page.getByText(/^Pay the invoice\? · Item \d$/);
  await expect(notes).toHaveCount(5);
  await expect(page.getByText("2 more are waiting")).toBeVisible();
  const card = page.locator('.react-flow__node[data-id="each"]');
  await expect(card).toContainText("Waiting for approval");

  const first = (await notes.first().textContent()) ?? "";
  await page.getByRole("form").first().getByRole("button", { name: "reject" }).click();
  await expect(page.getByText(first)).toHaveCount(0);
  await expect(notes).toHaveCount(5);
  await expect(page.getByText("1 more is waiting")).toBeVisible();
  // In the body, a node has the form of the item that is shown.
  await page.goto(`/flows/${flow}?run=${run}&in=each&node=ask`);
  const forms = page.getByRole("region", { name: "Run", exact: true }).getByText(/^Pay the invoice/);
  await expect(forms).toHaveText(["Pay the invoice? · Item 6"]);
  await page.getByRole("button", { name: "Previous item" }).click();
  await expect(forms).toHaveText(["Pay the invoice? · Item 5"]);
  await page.goto(`/flows/${flow}?run=${run}`);
  await expect(card).toContainText("Waiting for approval");
});
