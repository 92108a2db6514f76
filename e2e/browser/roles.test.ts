// Each role is offered what it may do, and the rest is hidden or says why: on every page with actions.
import type { Role } from "#lib/access.ts";
import { joinAs } from "./join-as.ts";
import { expect, test } from "./signed-in.ts";

/** What a page offers to whom; `gone`: hidden from everybody else rather than disabled with the reason. */
const offers: readonly {
  readonly path: (made: { flow: string; run: string; table: string }) => string;
  readonly button: string;
  readonly roles: readonly Role[];
  readonly gone?: true;
}[] = [
  { path: ({ flow }) => `/flows/${flow}`, button: "Run", roles: ["owner", "editor"] },
  { path: ({ flow }) => `/flows/${flow}`, button: "More about this flow", roles: ["owner", "editor"], gone: true },
  { path: () => "/flows?search=Offered", button: "New flow", roles: ["owner", "editor"] },
  { path: () => "/flows/new", button: "Start from scratch", roles: ["owner", "editor"], gone: true },
  { path: ({ run }) => `/runs/${run}`, button: "Run again", roles: ["owner", "editor"] },
  { path: () => "/webhooks", button: "New subscription", roles: ["owner", "editor"] },
  { path: () => "/credentials", button: "New credential", roles: ["owner", "editor"] },
  { path: () => "/services", button: "Import a document", roles: ["owner", "editor"] },
  { path: () => "/tables", button: "New table", roles: ["owner", "editor"] },
  { path: ({ table }) => `/tables/${table}`, button: "Add row", roles: ["owner", "editor"] },
  { path: ({ table }) => `/tables/${table}`, button: "Add column", roles: ["owner", "editor"] },
  { path: () => "/alerts", button: "New rule", roles: ["owner", "editor"] },
  { path: () => "/settings/members", button: "Invite", roles: ["owner"] },
];

for (const role of ["owner", "editor", "viewer"] as const) {
  test(`the ${role} is offered what that role may do, on every page, and sees why it may not do the rest`, async ({
    signedIn: owner,
    preparation,
    browser,
  }) => {
    const nodes = [{ id: "say", type: "log", name: "Say it", config: { message: "hello" } }];
    const flow = await preparation.createFlow({ name: "Offered", trigger: { type: "manual" }, nodes });
    const run = await preparation.run(flow, {});
    const columns = [{ name: "email", type: "text" }];
    const { id: table } = await preparation.call("POST", "/tables", { name: `Offered to the ${role}`, columns });
    const page = role === "owner" ? owner : await joinAs(owner, browser, role === "editor" ? "Editor" : "Viewer");
    let shown = "";
    for (const { path, button, roles, gone } of offers) {
      const next = path({ flow, run, table });
      if (next !== shown) await page.goto(next);
      shown = next;
      // A page has its heading once it has loaded: before that, everything would be missing.
      await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
      const control = page
        .getByRole("button", { name: button, exact: true })
        .or(page.getByRole("link", { name: button, exact: true }))
        .filter({ visible: true })
        .first();
      const label = `${button} on ${next}`;
      if (roles.includes(role)) {
        await expect(control, label).toBeVisible();
        await expect(control, label).not.toHaveAttribute("aria-disabled", "true");
      } else if (gone) await expect(control, label).toBeHidden();
      else await expect(control, label).toHaveAccessibleDescription(/^You are (a viewer|an editor): only /);
    }
    if (page !== owner) await page.context().close();
  });
}

test("a viewer reads a flow: no palette, nothing to save, every node to inspect", async ({
  signedIn: owner,
  preparation,
  browser,
}) => {
  const nodes = [{ id: "say", type: "log", name: "Say it", config: { message: "hello" } }];
  const flow = await preparation.createFlow({ name: "To read", trigger: { type: "manual" }, nodes });
  const page = await joinAs(owner, browser, "Viewer");
  await page.goto(`/flows/${flow}`);
  await expect(
    page.getByText("You are a viewer: only an editor or an owner of the workspace can edit flows."),
  ).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Node types" })).toHaveCount(0);
  await page.getByRole("button", { name: "Say it" }).click();
  await expect(page.getByRole("complementary", { name: "Say it" })).toContainText("hello");
  await page.getByRole("button", { name: "Say it" }).press("Delete");
  await expect(page.getByRole("button", { name: "Say it" })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("unsaved")))).toEqual([]);

  await preparation.changeFlow(flow, { status: "active" });
  const definition = { trigger: { type: "manual" }, nodes: [{ ...nodes[0], config: { message: "not published" } }] };
  await preparation.call("PUT", `/flows/${flow}/draft`, { definition });
  await page.goto(`/flows/${flow}`);
  await page.getByRole("button", { name: "Say it" }).click();
  await expect(page.getByRole("complementary", { name: "Say it" })).toContainText("hello");
  await expect(page.getByRole("button", { name: /Publish|Discard/ })).toHaveCount(0);
  await expect(page.getByRole("switch", { name: "Live" })).toHaveCount(0);

  await page.goto("/flows/new");
  await expect(page.getByText("You cannot create flows here.")).toBeVisible();
  await expect(page.getByText(/only an editor or an owner of the workspace can create flows\.$/)).toBeVisible();
  await page.context().close();
});

test("somebody demoted to viewer while editing is notified, and nothing is kept to be sent later", async ({
  signedIn: owner,
  preparation,
  browser,
}) => {
  const nodes = [{ id: "say", type: "log", name: "Say it", position: { x: 320, y: 0 }, config: { message: "hello" } }];
  const flow = await preparation.createFlow({ name: "Taken away", trigger: { type: "manual" }, nodes });
  const page = await joinAs(owner, browser, "Editor");
  await page.goto(`/flows/${flow}`);
  await page.route("**/api/v1/flows/*", (route, request) =>
    request.method() === "PATCH"
      ? route.fulfill({
          status: 403,
          contentType: "application/json",
          body: JSON.stringify({ success: false, error: { code: "FORBIDDEN", message: "not allowed" } }),
        })
      : route.continue(),
  );
  await page.getByLabel("Flow name").fill("Mine");
  await expect(page.getByRole("alert").filter({ hasText: "You can’t edit this flow" })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("unsaved")))).toEqual([]);
  await page.getByRole("button", { name: "Show the saved flow" }).click();
  await expect(page.getByLabel("Flow name")).toHaveValue("Taken away");
  await page.context().close();
});
