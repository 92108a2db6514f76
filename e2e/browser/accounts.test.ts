import { expect, type Page, test } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { type Mailbox, openMailbox } from "../support/mailbox.ts";
import { type RunningServer, startServer } from "../support/server.ts";

// One story in order, on a separate server that is started once.
test.describe.configure({ mode: "serial" });

let server: RunningServer;
let mailbox: Mailbox;

test.beforeAll(async () => {
  mailbox = await openMailbox();
  server = await startServer({
    env: {
      SIGN_UP: "open",
      SMTP_URL: mailbox.url,
      MAIL_FROM: "Millrace <flows@example.com>",
      GITHUB_CLIENT_ID: "client",
      GITHUB_CLIENT_SECRET: "secret",
    },
  });
});

test.afterAll(async () => {
  await server?.stop();
  mailbox?.close();
});

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
/** Where people arrive: the overview, or their flows if there is nothing to show yet. */
const inside = (page: Page) => page.getByRole("heading", { name: /^(Overview|Flows)$/, level: 1 });

async function submit(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: button, exact: true }).click();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${server.url}/sign-in`);
  await submit(page, { Email: email, Password: password }, "Sign in");
}

// Proves configuration.sign-up
test("signing up creates a separate workspace", async ({ page }) => {
  await page.goto(`${server.url}/sign-in`);
  await page.getByRole("link", { name: "Sign up" }).click();
  const ann = { "Your name": "Ann", Email: "ann@example.com", Password: "a long password", Workspace: "Ann's mill" };
  await submit(page, { ...ann, Email: server.email }, "Create workspace");
  await expect(page.getByRole("alert").filter({ hasText: "already has an account" })).toBeVisible();
  await submit(page, ann, "Create workspace");
  await expect(inside(page)).toBeVisible();
  await page.goto(`${server.url}/settings/workspace`);
  await expect(page.getByText("Free tier")).toBeVisible();
  await expect(page.getByText("Ann's mill · owner")).toBeVisible();
});

test("an invitation by mail makes a member, once", async ({ page, browser }) => {
  await signIn(page, server.email, server.password);
  await expect(inside(page)).toBeVisible();
  await page.goto(`${server.url}/settings/members`);
  await page.getByRole("button", { name: "Invite" }).click();
  await submit(page, { Email: "ben@example.com" }, "Create invitation");
  await expect(page.getByText("It was sent by email")).toBeVisible();
  const link = await mailbox.link("ben@example.com", "invited you");
  await expect(page.getByText(link)).toBeVisible();
  await page
    .getByRole("button", { name: "Done" })
    .or(page.getByRole("button", { name: "Close" }))
    .first()
    .click();
  await expect(page.getByRole("cell", { name: "ben@example.com" })).toBeVisible();

  const guest = await (await browser.newContext()).newPage();
  await guest.goto(link);
  await expect(guest.getByText("invites ben@example.com as an editor")).toBeVisible();
  await submit(guest, { "Your name": "Ben", Password: "short" }, "Join the workspace");
  await expect(guest.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/at least 8 characters/);
  await submit(guest, { Password: "another long one" }, "Join the workspace");
  await expect(inside(guest)).toBeVisible();
  await guest.goto(link);
  await expect(heading(guest, "This invitation is no longer valid")).toBeVisible();

  await page.reload();
  await page.getByLabel("Role of Ben").selectOption("viewer");
  await expect(page.getByText("Ben is a viewer now.")).toBeVisible();
  await guest.goto(`${server.url}/settings/audit-log`);
  await expect(guest.getByText("Only owners can see the audit log.")).toBeVisible();
  await page.goto(`${server.url}/settings/audit-log`);
  await expect(page.getByText("Member role changed: ben@example.com")).toBeVisible();
  await expect(page.getByText("role: editor → viewer")).toBeVisible();
  await guest.context().close();
});

test("a person with an account accepts with one click, and works in either workspace", async ({ page }) => {
  const invited = await page.request.post(`${server.url}/api/v1/invitations`, {
    headers: { authorization: `Bearer ${server.apiKey}` },
    data: { email: "ann@example.com", role: "viewer" },
  });
  const { url } = (await invited.json()).data;
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in" }).click();
  await submit(page, { Email: "ann@example.com", Password: "a long password" }, "Sign in");
  await page.getByRole("button", { name: "Join the workspace" }).click();
  await expect(inside(page)).toBeVisible();
  await page.goto(`${server.url}/settings/workspace`);
  await page.getByRole("button", { name: "Switch to Ann's mill" }).click();
  await expect(inside(page)).toBeVisible();
  await expect(page.getByText("Ann's mill").filter({ visible: true })).toBeVisible();
});

test("a forgotten password is reset by mail, once, which ends every session", async ({ page, browser }) => {
  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, "ben@example.com", "another long one");
  await expect(inside(elsewhere)).toBeVisible();
  for (const email of ["nobody@example.com", "ben@example.com"]) {
    await page.goto(`${server.url}/forgot-password`);
    await submit(page, { Email: email }, "Send link");
    await expect(heading(page, "Check your email")).toBeVisible();
  }
  const link = await mailbox.link("ben@example.com", "new password");
  expect(mailbox.mails.some(({ to }) => to === "nobody@example.com")).toBe(false);
  await page.goto(link);
  await submit(page, { "New password": "the third long one" }, "Set password");
  await expect(page.getByText("The new password is set")).toBeVisible();
  await page.goto(link);
  await expect(heading(page, "This link is no longer valid")).toBeVisible();
  await elsewhere.goto(`${server.url}/flows`);
  await expect(heading(elsewhere, "Sign in")).toBeVisible();
  await signIn(page, "ben@example.com", "another long one");
  await expect(page.getByRole("alert").filter({ hasText: "password is wrong" })).toBeVisible();
  await signIn(page, "ben@example.com", "the third long one");
  await expect(inside(page)).toBeVisible();
  await elsewhere.context().close();
});

test("an authenticator app is set up by its QR code, and its codes are required", async ({ page }) => {
  await signIn(page, "ben@example.com", "the third long one");
  await expect(inside(page)).toBeVisible();
  await page.goto(`${server.url}/settings/account`);
  await page.getByRole("button", { name: "Set up an app" }).click();
  await submit(page, { "Your password": "the third long one" }, "Continue");
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  const secret = (await page.getByRole("dialog").locator("pre").textContent())?.trim() ?? "";
  const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  await submit(page, { Code: codeAt(Date.now() - 30_000) }, "Confirm");
  await expect(page.getByText("Your recovery codes")).toBeVisible();
  // They stay while somebody writes them down in another tab: coming back, the page asks for the account again.
  const again = page.waitForResponse((response) => response.url().endsWith("/api/v1/account"));
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 60_000;
    window.dispatchEvent(new Event("visibilitychange"));
  });
  await again;
  await expect(page.getByText("Enabled")).toBeVisible();
  await expect(page.getByText("Your recovery codes")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Enabled")).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, "ben@example.com", "the third long one");
  await submit(page, { Code: "000000" }, "Sign in");
  await expect(page.getByRole("alert").filter({ hasText: "code is wrong" })).toBeVisible();
  await submit(page, { Code: codeAt(Date.now()) }, "Sign in");
  await expect(inside(page)).toBeVisible();
});

test("GitHub is offered if configured, and its errors are explained", async ({ page }) => {
  await page.goto(`${server.url}/sign-in?error=NotInvited`);
  await expect(page.getByRole("button", { name: "Sign in with GitHub" })).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "has no invitation here" })).toBeVisible();
  const [request] = await Promise.all([
    page.waitForRequest(/^https:\/\/github\.com\//),
    page.route(/^https:\/\/github\.com\//, (route) => route.fulfill({ body: "GitHub" })),
    page.getByRole("button", { name: "Sign in with GitHub" }).click(),
  ]);
  const query = new URL(request.url()).searchParams;
  expect(query.get("client_id")).toBe("client");
  expect(query.get("state")).toMatch(/./);
  expect(query.get("redirect_uri")).toBe(`${server.url}/api/auth/callback/github`);
});
