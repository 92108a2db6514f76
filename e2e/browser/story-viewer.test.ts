import { expect, test } from "./signed-in.ts";

test("a viewer is invited, sees everything, and sees why they cannot change it", async ({
  signedIn: page,
  preparation,
  browser,
}) => {
  const name = `Only to look at ${Date.now()}`;
  const nodes = [{ id: "say", type: "transform", name: "Say it", config: { transform: "({ said: true })" } }];
  const flow = await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  const run = await preparation.run(flow, {});
  const email = `vera-${Date.now()}@example.com`;
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite" }).click();
  const form = page.getByRole("dialog", { name: "Invite to the workspace" });
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Role").selectOption("Viewer");
  await form.getByRole("button", { name: "Create invitation" }).click();
  const link = (await page.getByRole("dialog").locator("pre").textContent())?.trim() ?? "";

  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(link);
  await guest.getByLabel("Your name").fill("Vera");
  await guest.getByLabel("Password", { exact: true }).fill("a long password");
  await guest.getByRole("button", { name: "Join the workspace" }).click();
  await expect(guest.getByRole("navigation", { name: "Main" })).toBeVisible();

  await guest.goto(`/runs/${run}`);
  await expect(guest.getByLabel("Output of the run")).toContainText("said");
  const why = "You are a viewer: only an editor or an owner of the workspace can do this.";
  const again = guest.getByRole("button", { name: "Run again", exact: true });
  await expect(again).toHaveAttribute("aria-disabled", "true");
  await expect(again).toHaveAccessibleDescription(why);
  // What is redrawn during hydration loses its focus.
  await expect(async () => {
    await again.blur();
    await again.focus();
    await expect(guest.getByRole("tooltip", { name: why })).toBeVisible({ timeout: 2_000 });
  }).toPass();

  // The page only says so in advance: the API is what refuses.
  const refused = await guest.evaluate(async (id) => {
    const answer = await fetch(`/api/v1/executions/${id}`, { method: "DELETE" });
    return { status: answer.status, body: await answer.json() };
  }, run);
  expect(refused.status).toBe(403);
  expect(refused.body.error).toMatchObject({ code: "FORBIDDEN", details: { required: "executions:write" } });

  for (const [path, button] of [
    ["/webhooks", "New subscription"],
    ["/credentials", "New credential"],
    ["/alerts", "New rule"],
    ["/settings/members", "Invite"],
  ] as const) {
    await guest.goto(path);
    await expect(guest.getByRole("button", { name: button })).toHaveAccessibleDescription(/^You are a viewer: only /);
  }
  for (const [path, words] of [
    ["/settings/api-keys", "Only owners can manage API keys."],
    ["/settings/audit-log", "Only owners can see the audit log."],
  ] as const) {
    await guest.goto(path);
    await expect(guest.getByText(words)).toBeVisible();
  }
  await context.close();
});
