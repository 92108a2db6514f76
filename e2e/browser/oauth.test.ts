import { oauthData, startProvider } from "../support/oauth-provider.ts";
import { expect, test } from "./signed-in.ts";

test("a person connects a credential, and again when the provider has taken it back", async ({
  signedIn: page,
  preparation,
}) => {
  const provider = await startProvider();
  const name = `calendar_${Date.now()}`;
  const { authorizationUrl = "", tokenUrl = "", clientId = "", clientSecret = "", scopes = "" } = oauthData(provider);
  try {
    await page.goto("/credentials");
    await page.getByRole("button", { name: "New credential" }).first().click();
    const form = page.getByRole("dialog", { name: "New credential" });
    await form.getByLabel("Name").fill(name);
    await form.getByLabel("Type").selectOption("OAuth2");
    await form.getByLabel("Authorization URL").fill(authorizationUrl);
    await form.getByLabel("Token URL").fill(tokenUrl);
    await form.getByLabel("Client ID").fill(clientId);
    await form.getByLabel("Client secret").fill(clientSecret);
    await form.getByLabel("Scopes").fill(scopes);
    await form.getByRole("button", { name: "Create credential" }).click();
    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("Not connected");

    const choose = async (entry: string) => {
      await page.getByRole("button", { name: `Actions for ${name}` }).click();
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
    };
    await choose("Connect");
    await page.getByRole("link", { name: "Deny" }).click();
    const denied = `${name} was not connected: access was not granted.`;
    await expect(page.getByRole("alert").filter({ hasText: denied })).toBeVisible();
    await choose("Connect");
    await page.getByRole("link", { name: "Allow" }).click();
    await expect(page.getByRole("status").filter({ hasText: `${name} is connected.` })).toBeVisible();
    await expect(page).toHaveURL(/\/credentials$/);
    await expect(row).toContainText("Connected: read write");

    // Its access ends at once from now on, and the provider does not renew it.
    provider.seconds = 0;
    await choose("Reconnect");
    await page.getByRole("link", { name: "Allow" }).click();
    await expect(page.getByRole("status").filter({ hasText: `${name} is connected.` })).toBeVisible();
    provider.next.push("refuse");
    const config = { url: `${provider.url}/me`, credential: name };
    const nodes = [{ id: "ask", type: "http-request", name: "Ask", config }];
    await preparation.run(await preparation.createFlow({ name, trigger: { type: "manual" }, nodes }), {});
    const hasRefused = async () =>
      JSON.stringify(await preparation.call("GET", "/credentials")).includes("invalid_grant");
    await expect.poll(hasRefused).toBe(true);
    await page.reload();
    await expect(row).toContainText("Needs reconnecting");
    await expect(row).toContainText("the provider refused: invalid_grant");
  } finally {
    await provider.close();
  }
});
