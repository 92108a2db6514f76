// What a start says while it builds.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { runBuild } from "../../scripts/build-when-stale.ts";

const program = join(temporaryDirectory(), "build.mjs");
const onStop = () => {};

test("a long build is told of with the seconds that it has taken, and its report is not shown", async () => {
  writeFileSync(program, 'console.log("Building…\\nRunning next.config.ts"); setInterval(() => {}, 1000);');
  const lines: string[] = [];
  const ending: (() => void)[] = [];
  const log = (line: string) => {
    lines.push(line);
    if (lines.length > 3) for (const end of ending) end();
  };
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  await expect(runBuild([program], { onStop: (end) => ending.push(end), log }, 100)).rejects.toThrow(
    "The build failed",
  );
  printed.mockRestore();
  expect(lines).toContain("Building…");
  expect(lines.filter((line) => line !== "Building…")).toEqual(
    Array(lines.length - 1).fill(expect.stringMatching(/^Still building after \d+ seconds…$/)),
  );
});

test("a build that fails ends the start with its report", async () => {
  writeFileSync(program, 'console.log("Building…"); console.error("no such module"); process.exit(1);');
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  await expect(runBuild([program], { onStop, log: () => {} })).rejects.toThrow("The build failed: see above");
  expect(printed).toHaveBeenCalledWith("Building…\nno such module");
  printed.mockRestore();
});
