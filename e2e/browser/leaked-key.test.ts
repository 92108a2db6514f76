import { expect, test } from "./signed-in.ts";

test("a leaked key is rotated: the new secret is shown once and works, the old one is refused", async ({
  signedIn: page,
  playwright,
  baseURL,
}) => {
  const name = `Order import ${Date.now()}`;
  const opens = async (key: string) => {
    const request = await playwright.request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${key}` } });
    const answer = await request.get(`${baseURL}/api/v1/flows`);
    await request.dispose();
    return answer.status();
  };
  await page.goto("/");
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "New key" }).click();
  const form = page.getByRole("dialog", { name: "New API key" });
  await form.getByRole("button", { name: "Create key" }).click();
  await expect(form.getByText("Name must not be empty.")).toBeVisible();
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Access").selectOption("Read only");
  const held = Promise.withResolvers<void>();
  await page.route("**/api/v1/api-keys", async (route) => {
    await held.promise;
    await route.continue();
  });
  await form.getByRole("button", { name: "Create key" }).press("Enter");
  // Closed now, the dialog could not show the key that is being created.
  await expect(form.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await form.getByRole("banner").getByRole("button").click();
  await expect(form).toBeVisible();
  held.resolve();
  const made = page.getByRole("dialog", { name: `The key ${name}` });
  const leaked = ((await made.locator("pre").textContent()) ?? "").trim();
  // A second Enter keeps the only sight of the secret.
  await expect(made.getByRole("button", { name: "Copy key" })).toBeFocused();
  await page.keyboard.press("Enter");
  await made.getByRole("button", { name: "Done" }).click();
  expect(await opens(leaked)).toBe(200);

  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  await page.getByRole("button", { name: "Rotate key" }).click();
  const rotated = page.getByRole("dialog", { name: `The new secret of ${name}` });
  const fresh = ((await rotated.locator("pre").textContent()) ?? "").trim();
  await rotated.getByRole("button", { name: "Done" }).click();
  expect([await opens(leaked), await opens(fresh)]).toEqual([401, 200]);

  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("status").filter({ hasText: "was revoked" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(0);
  expect(await opens(fresh)).toBe(401);
});
