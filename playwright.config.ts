import { defineConfig } from "@playwright/test";
import { systemTestChromium } from "#e2e/support/chromium.ts";

const executablePath = systemTestChromium();

export default defineConfig({
  testDir: "e2e/browser",
  testMatch: "**/*.test.ts",
  outputDir: "test-results",
  // A story of many steps takes 30 s on two cores that are busy with another, and 100 s on a slow machine.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: !!process.env.CI,
  // On two busy cores. The summary names a test that passed only then: it is a bug to fix.
  retries: process.env.CI ? 2 : 0,
  // A test waits for the server and its page by turns: three keep two cores busy.
  workers: 3,
  reporter: "list",
  use: {
    baseURL: process.env.BASE_URL ?? "http://localhost:3000",
    viewport: { width: 1440, height: 900 },
    // Transitions cost time in every click, and two cores have none to spare.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Recording every test costs a third of its time: `TRACE=1 npm test -- browser <pattern>` tells more of one that fails.
    trace: process.env.TRACE ? "on" : "off",
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
        // A page lives for seconds: what V8 optimizes is seldom run often enough to be worth it.
        "--js-flags=--no-opt --no-maglev",
      ],
    },
  },
});
