import { EditorPage } from "./editor-page.ts";
import { ratesService } from "./rates-service.ts";
import { expect, test } from "./signed-in.ts";

const at = (x: number) => ({ x, y: 0 });

test("a test is rehearsed: a table shows the outcome of each fault, and a retry on the canvas fixes one", async ({
  signedIn: page,
  preparation,
}) => {
  const rates = await ratesService();
  const ask = { method: "POST", url: rates.url, body: { ask: "rates" } };
  const flow = await preparation.createFlow({
    name: "Rehearsed",
    trigger: { type: "manual" },
    nodes: [
      { id: "ask", type: "http-request", name: "Ask", position: at(320), config: ask },
      {
        id: "rate",
        type: "transform",
        name: "Rate",
        position: at(660),
        config: { transform: "$node.output.body.rates.USD" },
      },
    ],
    edges: [{ source: "ask", target: "rate" }],
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.runWith({});
  await editor.run.getByRole("button", { name: "Make a test from this run" }).click();
  rates.close();
  const tests = page.getByRole("complementary", { name: "Tests", exact: true });
  await tests.getByRole("button", { name: "Rehearse" }).click();
  const table = tests.getByRole("table", { name: "Rehearsed faults" });
  await expect(table.getByRole("row")).toHaveCount(10);
  const row = (fault: string) =>
    table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: fault, exact: true }) });
  await expect(row("Timeout")).toContainText("Run fails");
  await expect(row("Crash before it acts")).toContainText("Handled");
  await expect(row("Crash after it acted")).toContainText("May act twice");
  await expect(row("Crash after it acted")).toContainText("with the same Idempotency-Key");
  await tests.getByRole("button", { name: "Hide the rehearsal" }).click();
  await expect(table).toHaveCount(0);

  await preparation.changeFlow(flow, {
    nodes: [
      { id: "ask", type: "http-request", name: "Ask", position: at(320), config: { ...ask, retry: { maxRetries: 2 } } },
      {
        id: "rate",
        type: "transform",
        name: "Rate",
        position: at(660),
        config: { transform: "$node.output.body.rates.USD" },
      },
    ],
  });
  await editor.open(flow);
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Flow tests" }).click();
  await tests.getByRole("button", { name: "Rehearse" }).click();
  await expect(row("Timeout")).toContainText("Handled");
  await expect(row("Timeout")).toContainText("succeeded at attempt 2");
  await table.getByRole("button", { name: "Ask" }).click();
  await expect(editor.node("ask")).toHaveClass(/selected/);
});
