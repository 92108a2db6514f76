// What a page shows before its scripts run, and that the scripts take it over as it is.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

const failing = {
  name: "Seen at first sight",
  trigger: { type: "manual" },
  nodes: [{ id: "greet", type: "transform", name: "Write the greeting", config: { transform: "$trigger.body.a.b.c" } }],
};

const asking = {
  name: "Asks at first sight",
  trigger: { type: "manual" },
  nodes: [{ id: "ask", type: "wait", name: "Ask the manager", config: {} }],
};

/** Holds all scripts back until `release` is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  return () => gate.resolve();
}

/** A page waits a quarter of a second for its data, which a busy machine may exceed: then it is opened again. */
async function openWith(page: Page, path: string, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.goto(path, { waitUntil: "commit" });
    await expect(shown).toBeVisible({ timeout: 3_000 });
  }).toPass();
}

const interactive = () => Reflect.get(window, "earlyInput") === undefined;

test.describe("in another time zone than the server's", () => {
  test.use({ timezoneId: "America/St_Johns" });

  test("a page shows its data before its scripts run, and they change nothing of it", async ({
    signedIn: page,
    preparation,
  }) => {
    const run = await preparation.run(await preparation.createFlow(failing), {});
    const waiting = await preparation.run(await preparation.createFlow(asking), {});
    await expect.poll(async () => (await preparation.call("GET", `/executions/${waiting}`)).waitingFor).toBe("call");
    await page.goto(`/runs/${run}`);
    await expect(page.getByRole("alert").filter({ hasText: "Write the greeting failed" })).toBeVisible();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    const release = await holdScripts(page);
    const places = [
      { path: "/", shown: page.getByRole("region", { name: "Figures" }) },
      { path: "/runs", shown: page.getByRole("link", { name: "Seen at first sight" }).first() },
      { path: "/flows", shown: page.getByRole("link", { name: "Seen at first sight" }).first() },
      { path: `/runs/${run}`, shown: page.getByRole("alert").filter({ hasText: "Write the greeting failed" }) },
      { path: `/runs/${waiting}`, shown: page.getByRole("link", { name: "Asks at first sight" }).first() },
    ];
    for (const { path, shown } of places) await openWith(page, path, shown);
    // What is loaded later would be taken over later, when its data may have changed: it is only drawn by the browser.
    await expect(page.getByRole("heading", { name: "Nodes" })).toHaveCount(0);
    release();
    for (const { path, shown } of places) {
      await page.goto(path);
      await page.waitForFunction(interactive);
      await expect(shown).toBeVisible();
    }
    await expect(page.getByRole("button", { name: "Continue" }).first()).toBeVisible();
    await expect(page.getByRole("heading", { name: "Nodes" })).toBeVisible();
    await expect(page.getByRole("application", { name: "Flow" }).getByRole("button").first()).toBeVisible();
    expect(errors).toEqual([]);
  });
});

test("what is chosen before the page is interactive counts once it is", async ({ signedIn: page, preparation }) => {
  await preparation.run(await preparation.createFlow(failing), {});
  const release = await holdScripts(page);
  await page.goto("/runs", { waitUntil: "commit" });
  await page.getByLabel("Status").selectOption("Cancelled");
  release();
  await expect(page).toHaveURL(/status=cancelled/);
  await expect(page.getByRole("row", { name: "Seen at first sight" })).toHaveCount(0);
});

test("what is searched for before the page is interactive is found once it is", async ({
  signedIn: page,
  preparation,
}) => {
  await preparation.createFlow(failing);
  const release = await holdScripts(page);
  await page.goto("/flows", { waitUntil: "commit" });
  await page.getByLabel("Search flows").fill("first sight");
  release();
  await expect(page).toHaveURL(/search=first/);
  await expect(page.getByLabel("Search flows")).toHaveValue("first sight");
  await expect(page.getByRole("link", { name: "Seen at first sight" }).first()).toBeVisible();
});

test("a run ticked before the page is interactive is ticked once it is", async ({ signedIn: page, preparation }) => {
  await preparation.run(await preparation.createFlow(failing), {});
  const release = await holdScripts(page);
  const tick = page.getByRole("checkbox", { name: "Select the run of Seen at first sight" }).first();
  await openWith(page, "/runs", tick);
  await tick.click();
  release();
  await expect(page.getByRole("region", { name: "Selected runs" })).toContainText("1 run");
  await expect(tick).toBeChecked();
});

test("a run's flow is drawn before any script has run, where the canvas has it then", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = {
    name: "Drawn at first sight",
    trigger: { type: "manual" },
    nodes: [
      { id: "check", type: "if-else", name: "Is it large?", config: { condition: "$trigger.body.total > 100" } },
      { id: "large", type: "log", name: "Note a large one", config: { message: "large" } },
      { id: "small", type: "log", name: "Note a small one", config: { message: "small" } },
    ],
    edges: [
      { source: "check", target: "large", label: "true" },
      { source: "check", target: "small", label: "false" },
    ],
  };
  const run = await preparation.run(await preparation.createFlow(flow), { total: 120 });
  await expect.poll(async () => (await preparation.call("GET", `/executions/${run}`)).status).toBe("completed");
  const release = await holdScripts(page);
  const picture = page.locator("[data-first-picture]");
  await openWith(page, `/runs/${run}`, picture.getByText("Note a large one"));
  await expect(picture.getByText("Skipped")).toBeVisible();
  const titles = ["Manual start", "Is it large?", "Note a large one", "Note a small one"];
  const placesIn = (root: Locator) => Promise.all(titles.map((title) => root.getByText(title).boundingBox()));
  const before = await placesIn(picture);
  release();
  const canvas = page.getByRole("application", { name: "Flow" });
  await expect(canvas.getByText("Note a large one")).toBeVisible();
  await expect(picture).toHaveCount(0);
  const differences = async () => {
    const after = await placesIn(canvas);
    return before.flatMap((box, index) => {
      const [x, y] = [(box?.x ?? 0) - (after[index]?.x ?? 0), (box?.y ?? 0) - (after[index]?.y ?? 0)];
      return Math.hypot(x, y) < 2 ? [] : [`${titles[index]}: ${x}, ${y}`];
    });
  };
  await expect.poll(differences).toEqual([]);
});
