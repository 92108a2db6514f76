import { defineConfig } from "vitest/config";
import { apiFiles, unitFiles } from "./scripts/testing/test-files.ts";

// As in playwright.config.ts: the summary names each test that passed only then.
const retry = process.env.CI ? 2 : 0;

const unitTests = unitFiles();
const apiTests = apiFiles();
const unit = {
  globalSetup: ["e2e/support/temporary-root.ts"],
  testTimeout: 120_000,
  // A database of its own takes a second to make, and many times that on a busy machine.
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // Many wait for a database, a child or a moment: two leave half of two cores idle. Four get sandboxes killed.
  maxWorkers: 3,
  retry,
};
const unitOnPostgres = { ...unit, globalSetup: [...unit.globalSetup, "e2e/support/shared-postgres.ts"] };
const api = {
  globalSetup: ["temporary-root", "shared-postgres", "shared-server"].map((name) => `e2e/support/${name}.ts`),
  // They wait for servers more than they compute, so that more files than cores run beside each other.
  maxWorkers: 3,
  retry,
  testTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 240_000,
};

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: unitTests.alone, ...unitOnPostgres } },
      {
        test: {
          name: "unit-renewed",
          include: unitTests.renewed,
          isolate: false,
          setupFiles: ["e2e/support/renewed-modules.ts"],
          ...unitOnPostgres,
        },
      },
      { test: { name: "unit-shared", include: unitTests.shared, isolate: false, ...unit } },
      { test: { name: "api", include: apiTests.alone, ...api } },
      { test: { name: "api-shared", include: apiTests.shared, isolate: false, ...api } },
    ],
  },
});
