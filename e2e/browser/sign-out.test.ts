import type { Page } from "@playwright/test";
import { EditorPage } from "./editor-page.ts";
import { expect, type Preparation, signIn, test } from "./signed-in.ts";

const unsaved = (page: Page) =>
  page.evaluate(() => Object.keys(window.localStorage).filter((key) => key.startsWith("millrace:unsaved:")));

/** Opens a flow of one log node as someone whose session is their own: these tests end it. */
async function openOwn(page: Page, preparation: Preparation, name: string) {
  const nodes = [{ id: "say", type: "log", name: "say", position: { x: 320, y: 0 }, config: { message: "x" } }];
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  await signIn(page);
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("say").click();
  return { editor, flow };
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

/** Opens a flow whose changes cannot be saved, changes it, and signs out in another tab. */
async function signOutElsewhere(page: Page, preparation: Preparation, name: string) {
  const { editor, flow } = await openOwn(page, preparation, name);
  await page.route(`**/api/v1/flows/${flow}`, (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.fallback(),
  );
  await editor.write("Message", "never sent");
  await expect(page.getByText("The server is not responding. Your changes are kept")).toBeVisible();
  const other = await page.context().newPage();
  await other.goto("/runs");
  await signOut(other);
  return { editor, other };
}

const signInTitle = { name: "Sign in", level: 1 } as const;

test("signing out saves what was just typed, and leaves none of it in the browser", async ({ page, preparation }) => {
  const { editor, flow } = await openOwn(page, preparation, "Typed last");
  await editor.write("Message", "typed last");
  await signOut(page);
  await expect(page.getByRole("heading", signInTitle)).toBeVisible();
  expect(await unsaved(page)).toEqual([]);
  const { nodes } = await preparation.call("GET", `/flows/${flow}`);
  expect(nodes[0].config.message).toBe("typed last");
});

test("changes that cannot be saved are named before signing out deletes them", async ({ page, preparation }) => {
  const { editor, other } = await signOutElsewhere(page, preparation, "Cannot be saved");
  const question = other.getByRole("dialog", { name: "Sign out and delete unsaved changes?" });
  await expect(question).toContainText("Changes to Cannot be saved could not be saved.");
  await question.getByRole("button", { name: "Stay signed in" }).click();
  await expect(question).toBeHidden();
  expect(await unsaved(page)).toHaveLength(1);
  await other.close();
  await page.bringToFront();
  await expect(editor.node("say")).toContainText("never sent");

  await signOut(page);
  await page
    .getByRole("dialog", { name: "Sign out and delete unsaved changes?" })
    .getByRole("button", { name: "Sign out and delete" })
    .click();
  await expect(page.getByRole("heading", signInTitle)).toBeVisible();
  expect(await unsaved(page)).toEqual([]);
});

test("a tab with a flow is left when another tab signs out", async ({ page, preparation }) => {
  const { other } = await signOutElsewhere(page, preparation, "In another tab");
  await other.getByRole("button", { name: "Sign out and delete" }).click();
  await expect(page.getByRole("heading", signInTitle)).toBeVisible();
  expect(await unsaved(page)).toEqual([]);
});

test("signing out leaves what other users of the browser have not saved", async ({ page, preparation }) => {
  const { other } = await signOutElsewhere(page, preparation, "Shared browser");
  const theirs = "millrace:unsaved:flow_theirs:page:user_theirs";
  await other.evaluate((key) => {
    const [own = ""] = Object.keys(window.localStorage).filter((name) => name.startsWith("millrace:unsaved:"));
    const kept = JSON.parse(window.localStorage.getItem(own) ?? "");
    kept.draft.name = "Of somebody else";
    window.localStorage.setItem(key, JSON.stringify(kept));
  }, theirs);
  const question = other.getByRole("dialog", { name: "Sign out and delete unsaved changes?" });
  await question.getByRole("button", { name: "Stay signed in" }).click();
  await signOut(other);
  await expect(question).toContainText("Changes to Shared browser could not be saved.");
  await other.getByRole("button", { name: "Sign out and delete" }).click();
  await expect(other.getByRole("heading", signInTitle)).toBeVisible();
  await expect.poll(() => unsaved(other)).toEqual([theirs]);
});
