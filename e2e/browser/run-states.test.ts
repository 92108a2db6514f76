// What people see of a run beyond its status: that it was retried, what it waits for, and which nodes were disabled.
import { expect, test } from "./signed-in.ts";

test("a failed run that completed when it was retried says so in lists, on its page and in the flow's health", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `Retried ${Date.now()}`;
  const nodes = [
    { id: "add", type: "transform", name: "Add it up", config: { transform: "$trigger.body.order.total" } },
  ];
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  const failed = await preparation.run(flow, {});
  const statusOf = async (id: string) => (await preparation.call("GET", `/executions/${id}`)).status;
  await expect.poll(() => statusOf(failed)).toBe("failed");
  const body = { overrideData: { order: { total: 21 } } };
  const retry = String((await preparation.call("POST", `/executions/${failed}/retry`, body)).executionId);
  await expect.poll(() => statusOf(retry)).toBe("completed");

  await page.goto(`/runs?flow=${flow}&status=failed`);
  const link = page.getByRole("link", { name: "Retried, completed" });
  await expect(page.getByRole("row").filter({ has: link })).toContainText("Failed");
  await link.click();
  await expect(page).toHaveURL(new RegExp(`/runs/${retry}`));
  await page.getByRole("link", { name: /Retry of/ }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${failed}`));
  await expect(link).toHaveAttribute("href", `/runs/${retry}`);

  await page.goto(`/flows?search=${encodeURIComponent(name)}`);
  await expect(page.getByRole("img", { name: "1 of the last 2 failed; it completed when retried" })).toBeVisible();
  await page.goto(`/?flow=${flow}`);
  await expect(page.getByText("1 of 2 runs failed in the last 24 hours; it completed when retried.")).toBeVisible();
  // As after a break of an hour.
  await page.evaluate((seen) => {
    window.localStorage.setItem("millrace:overview-visits", JSON.stringify({ before: null, seen }));
  }, Date.now() - 3_600_000);
  await page.reload();
  await expect(page.getByText(/1 run failed since your last visit.*; it completed when retried/)).toBeVisible();
});

test("a run that sits in a delay says until when in the list, on its page and on the node's card", async ({
  signedIn: page,
  preparation,
}) => {
  const nodes = [{ id: "hold", type: "delay", name: "Hold it", config: { ms: 3_600_000 } }];
  const flow = await preparation.createFlow({ name: "Held for an hour", trigger: { type: "manual" }, nodes });
  const run = await preparation.run(flow, {});
  const waiting = async () => (await preparation.call("GET", `/executions/${run}`)).waitingFor;
  await expect.poll(waiting).toBe("time");
  const words = /^Waiting until (\d+ \w{3}, )?\d\d:\d\d$/;
  await page.goto(`/runs?flow=${flow}`);
  await expect(page.getByRole("row").getByText(words)).toBeVisible();
  await page.goto(`/runs/${run}`);
  await expect(page.locator("header").getByText(words)).toBeVisible();
  await expect(page.locator('.react-flow__node[data-id="hold"]').getByText(words)).toBeVisible();
  await preparation.call("POST", `/executions/${run}/cancel`, {});
  await expect(page.getByText(words)).toHaveCount(0);
});

test("a loop's item that waits says so in its row, and its nodes say what they wait for", async ({
  signedIn: page,
  preparation,
}) => {
  const body = {
    nodes: [
      { id: "off", type: "log", name: "Note it", config: { message: "hello" }, disabled: true },
      { id: "hold", type: "delay", name: "Hold it", config: { ms: 3_600_000 } },
    ],
    edges: [{ source: "off", target: "hold" }],
  };
  const nodes = [{ id: "each", type: "loop", name: "Each", config: { items: "{{ [1] }}", body } }];
  const flow = await preparation.createFlow({ name: "Held in a loop", trigger: { type: "manual" }, nodes });
  const run = await preparation.run(flow, {});
  await expect.poll(async () => (await preparation.call("GET", `/executions/${run}`)).waitingFor).toBe("time");
  await page.goto(`/runs/${run}?node=each`);
  await page.getByRole("tab", { name: /^Items/ }).click();
  const item = page.getByRole("button", { name: /^Item 0/ });
  await expect(item).toHaveText(/Waiting until (\d+ \w{3}, )?\d\d:\d\d/);
  await item.click();
  await expect(page.getByRole("button", { name: /^Note it/ })).toHaveText(/Disabled/);
  await expect(page.getByRole("button", { name: /^Hold it/ })).toHaveText(/Waiting until/);
  await page.goto(`/flows/${flow}?run=${run}&in=each`);
  await expect(page.getByRole("navigation", { name: "Level" })).toContainText(/Waiting until/);
  await preparation.call("POST", `/executions/${run}/cancel`, {});
});

test("a disabled node is shown as such in the run that passed it", async ({ signedIn: page, preparation }) => {
  const nodes = [
    { id: "first", type: "log", name: "Note it", config: { message: "hello" } },
    { id: "off", type: "log", name: "Note it too", config: { message: "hello" }, disabled: true },
  ];
  const edges = [{ source: "first", target: "off" }];
  const flow = await preparation.createFlow({ name: "Partly off", trigger: { type: "manual" }, nodes, edges });
  const run = await preparation.run(flow, {});
  await page.goto(`/runs/${run}`);
  const card = page.locator('.react-flow__node[data-id="off"]');
  await expect(card.getByText("Disabled", { exact: true })).toBeVisible();
  await expect(card.getByText("Completed")).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: /^Note it tooDisabled$/ })).toBeVisible();
  await card.click();
  const panel = page.getByRole("complementary", { name: "Note it too" });
  await expect(panel.getByText("Disabled in the version that ran: its input was passed on.")).toBeVisible();
});
