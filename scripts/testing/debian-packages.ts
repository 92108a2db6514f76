// Installs system programs that tests need, from Debian packages.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";

export function canInstallPackages(): boolean {
  return process.platform === "linux" && userInfo().uid === 0 && existsSync("/usr/bin/apt-get");
}

/** Installs packages; the caller checks for their programs to see whether it succeeded. */
export function installPackages(...names: string[]): void {
  aptGet("update");
  aptGet("install", "-y", "--no-install-recommends", ...names);
}

function aptGet(...args: string[]): void {
  spawnSync("apt-get", ["-q", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
