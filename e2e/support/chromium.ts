import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Headless Chromium: the same engine in little more than half the time. Packaged by Debian. */
const shell = "chromium-headless-shell";
const browsers = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The path of the system's full Chromium, or else of the headless shell, if it has either. */
export const systemChromium = (): string | undefined => findProgram([...browsers, shell]);

/** The path of the Chromium to test with, if the system has one. */
export const systemTestChromium = (): string | undefined => findProgram([shell, ...browsers]);

export const systemShell = (): string | undefined => findProgram([shell]);

function findProgram(names: readonly string[]): string | undefined {
  const directories = (process.env.PATH ?? "").split(delimiter);
  return names
    .flatMap((name) => directories.map((directory) => join(directory, name)))
    .find((path) => existsSync(path));
}
