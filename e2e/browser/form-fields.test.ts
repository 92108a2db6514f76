import { violations } from "./accessibility.ts";
import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const pause = { id: "pause", type: "delay", name: "Pause", position: { x: 320, y: 0 }, config: { ms: 90_000 } };
const call = { id: "call", type: "sub-flow", name: "Call", position: { x: 640, y: 0 }, config: {} };
const fetchIt = {
  id: "fetch",
  type: "http-request",
  name: "Fetch",
  position: { x: 320, y: 160 },
  config: { url: "https://example.com" },
};

test("a duration has its unit, a flow is chosen by name, and each can be an expression instead", async ({
  signedIn: page,
  preparation,
}) => {
  const other = `Ship it ${Date.now()}`;
  const otherId = await preparation.createFlow({ name: other, trigger: { type: "manual" }, nodes: [pause] });
  const flow = await preparation.createFlow({ name: "Fields", trigger: { type: "manual" }, nodes: [pause, call] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("pause");
  const amount = page.getByRole("textbox", { name: "Duration", exact: true });
  const unit = page.getByRole("combobox", { name: "Duration: unit" });
  await expect(amount).toHaveValue("90");
  await expect(unit.locator("option:checked")).toHaveText("seconds");
  await unit.selectOption("hours");
  await amount.fill("1.5");
  await editor.saved();
  const config = async (id: string) => {
    const { nodes } = await preparation.call("GET", `/flows/${flow}`);
    return nodes.find((node: { id: string }) => node.id === id).config;
  };
  await expect.poll(() => config("pause")).toEqual({ ms: 5_400_000 });
  await expect(editor.node("pause")).toContainText("90 min");
  await page.getByRole("button", { name: "fx: use an expression for Duration" }).click();
  await expect(amount).toContainText("{{");

  await editor.select("call");
  await page.getByRole("button", { name: "Flow: Choose a flow" }).click();
  await page.getByRole("combobox", { name: "Flow" }).fill(other);
  await page.getByRole("option", { name: other }).click();
  await expect(page.getByRole("button", { name: `Flow: ${other}` })).toBeVisible();
  await expect(page.getByRole("link", { name: "Open this flow" })).toHaveAttribute("href", `/flows/${otherId}`);
  await expect.poll(() => config("call")).toEqual({ flowId: otherId });
});

test("a schedule is put together, in a time zone that is searched, and shows its next runs", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "Scheduled", trigger: { type: "schedule" }, nodes: [pause] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("trigger");
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  await panel.getByRole("combobox", { name: "Schedule" }).selectOption("On some weekdays");
  await panel.getByRole("button", { name: "Friday" }).click();
  await panel.getByLabel("Time of day").fill("07:45");
  const zone = panel.getByRole("combobox", { name: "Time zone" });
  await zone.fill("zurich");
  await page.getByRole("option", { name: /Zurich/ }).click();
  await expect(zone).toHaveValue("Europe/Zurich");
  // Pasted, and taken at once.
  await zone.fill("york new");
  await zone.press("Enter");
  await expect(zone).toHaveValue("America/New_York");
  await expect(page.getByRole("listbox")).toBeHidden();
  const next = page.getByRole("region", { name: "Next runs" });
  await expect(next).toContainText("America/New_York");
  await expect(next.getByRole("listitem").first()).toContainText("07:45:00");
  const config = async () => (await preparation.call("GET", `/flows/${flow}`)).trigger.config;
  await expect.poll(config).toEqual({ cron: "45 7 * * 1,2,3,4", timezone: "America/New_York" });
  expect(await violations(page)).toEqual([]);

  await panel.getByRole("button", { name: "Cron", exact: true }).click();
  await panel.getByRole("textbox", { name: "Schedule" }).fill("0 0 9 * * *");
  await panel.getByRole("button", { name: "Builder" }).click();
  await expect(panel).toContainText("cannot be shown in the builder");
  await panel.getByText("JSON", { exact: true }).click();
  await expect(panel.getByRole("textbox", { name: "Config as JSON" })).toContainText("America/New_York");
});

test("what was missing is no longer said once it is there, before the next check", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "Checked late", trigger: { type: "schedule" }, nodes: [pause] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("trigger");
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  const missing = panel.getByText("A schedule needs a cron expression");
  await expect(missing).toBeVisible();
  // The next check never answers: the message must not wait for it, and move the fields below when it comes.
  await page.route("**/api/v1/flows/check", () => {});
  await panel.getByRole("combobox", { name: "Schedule" }).selectOption("Every day");
  await expect(missing).toBeHidden();
  await expect(editor.node("trigger")).toContainText("Every day at 09:00");
});

test("closed sets are in words, and variables are rows or JSON", async ({ signedIn: page, preparation }) => {
  const variables = { limit: 10, shop: "north" };
  const flow = await preparation.createFlow({
    name: "Words",
    trigger: { type: "manual" },
    nodes: [fetchIt],
    variables,
  });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("fetch");
  await page.getByText("Error handling & notes").click();
  await page.getByRole("combobox", { name: "On error" }).selectOption("Continue with the error as output");
  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  const rows = page.getByRole("region", { name: "Variables" });
  await rows.getByLabel("Value of limit").fill("25");
  await rows.getByRole("button", { name: "Add variable" }).click();
  await rows.getByLabel("Variable name 3").fill("isOpen");
  await rows.getByLabel("Kind of isOpen").selectOption("Yes or no");
  await rows.getByLabel("Value of isOpen").selectOption("Yes");
  await page.getByLabel("Run time limit", { exact: true }).fill("2");
  await editor.saved();
  const stored = async () => {
    const { variables: now, settings, nodes } = await preparation.call("GET", `/flows/${flow}`);
    return { now, timeoutMs: settings.timeoutMs, onError: nodes[0].config.onError };
  };
  await expect
    .poll(stored)
    .toEqual({ now: { limit: 25, shop: "north", isOpen: true }, timeoutMs: 120_000, onError: "continue" });
  await rows.getByRole("button", { name: "JSON" }).click();
  await expect(rows.getByRole("textbox", { name: "Variables" })).toContainText('"isOpen": true');
});
