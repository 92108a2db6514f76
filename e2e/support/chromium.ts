import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Chromium without a browser's windows: the same engine in little more than half the time. Debian packages it. */
const shell = "chromium-headless-shell";
const browsers = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The path of the Chromium that a person would use here, or else of the shell, if the system has one. */
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
