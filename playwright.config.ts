import { defineConfig } from "@playwright/test";
import { systemChromium } from "#e2e/support/chromium.ts";

const executablePath = systemChromium();

export default defineConfig({
  testDir: "e2e/browser",
  testMatch: "**/*.test.ts",
  outputDir: "test-results",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: !!process.env.CI,
  workers: 2,
  reporter: "list",
  use: {
    baseURL: process.env.BASE_URL ?? "http://localhost:3000",
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Without a sandbox because containers seldom allow one; the rest keeps the browser from calling out.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
