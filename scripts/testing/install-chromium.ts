// The browser of the browser tests: the system's own, or else the one that Playwright brings.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { chromium } from "@playwright/test";
import { systemChromium } from "#e2e/support/chromium.ts";
import { runProgram } from "./test-programs.ts";

/** Makes sure that there is a browser, and tells whether there is. */
export async function installChromium(): Promise<boolean> {
  if (systemChromium() || existsSync(chromium.executablePath())) return true;
  console.log("Installing Chromium…");
  if (canInstallPackages()) {
    aptGet("update");
    aptGet("install", "-y", "--no-install-recommends", "chromium", "fonts-liberation");
    if (systemChromium()) return true;
  }
  return runProgram("node_modules/@playwright/test/cli.js", ["install", "chromium-headless-shell"]);
}

function canInstallPackages(): boolean {
  return process.platform === "linux" && userInfo().uid === 0 && existsSync("/usr/bin/apt-get");
}

function aptGet(...args: string[]): void {
  spawnSync("apt-get", ["-q", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
