// The README's quick start, with a local server in place of the public service.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDirectory } from "../../scripts/places.mjs";
import { get, post } from "../support/api-client.ts";
import { countingServer } from "../support/counting-server.ts";
import { statuses, type TestExecution, type TestFlow } from "../support/flows.ts";

const document = JSON.parse(readFileSync(join(projectDirectory, "examples/order-intake.json"), "utf8"));

async function callExample(order: unknown) {
  const rates = await countingServer(() => ({ body: { base: "EUR", rates: { USD: 1.165 } } }));
  const flow = await post<TestFlow>("/flows", { ...document, variables: { ratesUrl: `${rates.url}/latest` } });
  expect(flow.status).toBe(201);
  const response = await fetch(flow.data.trigger.config.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
  });
  const id = response.headers.get("x-execution-id");
  const run = await get<TestExecution>(`/executions/${id}?includeLogs=true`);
  return { rates, response, answer: await response.json(), run: run.data };
}

// Proves trigger-urls.branches
it("an order is checked, priced at the service's rate, logged and answered", async () => {
  const order = { id: "o-1", currency: "USD", items: [{ price: 10, quantity: 2 }] };
  const { rates, response, answer, run } = await callExample(order);
  expect(response.status).toBe(200);
  expect(answer).toEqual({ orderId: "o-1", eur: 20, currency: "USD", total: 23.3 });
  expect(rates.received.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /latest?base=EUR&symbols=USD"]);
  expect(statuses(run)).toEqual({
    check: "completed",
    rate: "completed",
    total: "completed",
    note: "completed",
    refuse: "skipped",
  });
  const written = run.logs?.filter(({ nodeId }) => nodeId !== null);
  expect(written?.map(({ message }) => message)).toEqual(["Order o-1: 23.3 USD"]);
});

// Proves trigger-urls.branches
it("an invalid order is answered 422 and no request is sent", async () => {
  const { rates, response, answer, run } = await callExample({ id: "o-2", items: [] });
  expect(response.status).toBe(422);
  expect(answer).toMatchObject({ error: expect.stringMatching(/items/), received: { id: "o-2" } });
  expect(rates.received).toEqual([]);
  expect(run.status).toBe("completed");
});
