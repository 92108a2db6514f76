// A signed-in browser for measurements.
import { type Browser, chromium, type Page } from "@playwright/test";
import { systemChromium } from "../e2e/support/chromium.ts";
import type { RunningServer } from "../e2e/support/server.ts";

export async function openBrowser(): Promise<Browser> {
  const executablePath = systemChromium();
  return await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

export async function signIn(browser: Browser, { url, email, password }: RunningServer): Promise<Page> {
  // Reduced motion, so that the view does not animate.
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return page;
}
