import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The path of the system's Chromium, if it has one. */
export function systemChromium(): string | undefined {
  const directories = (process.env.PATH ?? "").split(delimiter);
  return names
    .flatMap((name) => directories.map((directory) => join(directory, name)))
    .find((path) => existsSync(path));
}
