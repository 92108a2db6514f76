// One suite for every way to drive a run: while its caller waits, by the server's worker, and through Inngest.
import { afterAll, beforeAll, describe, test } from "vitest";
import { apiKey, baseUrl } from "#e2e/support/address.ts";
import { Driver } from "#e2e/support/conformance/driver.ts";
import { failureCases } from "#e2e/support/conformance/failure-cases.ts";
import { flowControlCases } from "#e2e/support/conformance/flow-control-cases.ts";
import { graphCases } from "#e2e/support/conformance/graph-cases.ts";
import { sizeCases } from "#e2e/support/conformance/size-cases.ts";
import { stopCases } from "#e2e/support/conformance/stop-cases.ts";
import { waitCases } from "#e2e/support/conformance/wait-cases.ts";
import { InngestServer } from "#e2e/support/inngest/inngest-server.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";

const inngest = new InngestServer();
let server: RunningServer;

beforeAll(async () => {
  await inngest.start();
  server = await startServer({ env: { INNGEST_DEV: inngest.url } });
});
afterAll(async () => {
  await server.stop();
  await inngest.close();
});

const drivers: readonly [string, () => Driver][] = [
  ["a run in the request", () => new Driver({ url: baseUrl(), apiKey: apiKey() }, "inline")],
  ["a run by the server's worker", () => new Driver({ url: baseUrl(), apiKey: apiKey() }, "background")],
  ["a run through Inngest", () => new Driver(server, "background")],
];
const cases = [...graphCases, ...failureCases, ...stopCases, ...waitCases, ...flowControlCases, ...sizeCases];

describe.each(drivers)("%s", (_, driver) => {
  // Proves configuration.inngest
  test.each(cases)("$name", async ({ check }) => {
    await check(driver());
  });
});
