// The browser of the browser tests: the system's own, or else the one that Playwright brings.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { systemShell, systemTestChromium } from "#e2e/support/chromium.ts";
import { canInstallPackages, installPackages } from "./debian-packages.ts";
import { runProgram } from "./test-programs.ts";

/** Installs a browser if needed; returns whether there is one. */
export async function installChromium(): Promise<boolean> {
  if (systemShell() || existsSync(chromium.executablePath())) return true;
  if (canInstallPackages()) {
    console.log("Installing Chromium…");
    installPackages("chromium-headless-shell", "fonts-liberation");
  }
  if (systemTestChromium()) return true;
  return runProgram("node_modules/@playwright/test/cli.js", ["install", "chromium-headless-shell"]);
}
