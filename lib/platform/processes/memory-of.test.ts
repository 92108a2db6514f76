import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { keptBytesMax } from "./memory-of.ts";

const mib = 1_048_576;

test.each<[allowed: number, options: string, kept: number]>([
  // As Node 24 allows by default with a gigabyte, four, eight and sixteen.
  [560, "", 512],
  [2_240, "", 2_048],
  [4_288, "", 4_096],
  [4_288, "--max-old-space-size=0", 4_096],
  [704, "--max-old-space-size=512", 512],
  [704, "--enable-source-maps --max_old_space_size=300 --max-old-space-size 512", 512],
])("of %i MiB of heap with %j, %i are for what is kept", (allowed, options, kept) => {
  expect(keptBytesMax(allowed * mib, options)).toBe(kept * mib);
});

test("a process that keeps much less than V8 names as its limit is ended", () => {
  const script = `
    const { getHeapStatistics } = require("node:v8");
    const kept = [];
    process.stdout.write(String(getHeapStatistics().heap_size_limit));
    for (;;) kept.push(Array.from({ length: 1e5 }, (_, index) => ({ index })));`;
  const { stdout, status } = spawnSync(process.execPath, ["--max-old-space-size=40", "-e", script], {
    encoding: "utf8",
  });
  expect(status).not.toBe(0);
  expect(keptBytesMax(Number(stdout), "--max-old-space-size=40")).toBe(40 * mib);
});
