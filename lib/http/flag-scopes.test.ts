// A flag that reaches another subject's data needs that subject's scope too.
import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { createApiKey } from "#lib/auth/api-keys.ts";
import { deleteFlow } from "#lib/contract/flows/flows.ts";
import { route } from "./route.ts";

inOwnDatabase();

let key: string;
beforeAll(async () => {
  ({ key } = await createApiKey(await newActor(), { name: "flows only", scopes: ["flows:write"] }));
});

test.each([
  ["", 204],
  ["?deleteExecutions=false", 204],
  ["?deleteExecutions=true", 403],
])("deleting a flow%s with a key for flows alone is answered with %i", async (query, status) => {
  const request = new Request(`http://localhost/api/v1/flows/flow_x${query}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${key}` },
  });
  const answer = await route(deleteFlow, async () => null)(request, { params: Promise.resolve({ id: "flow_x" }) });
  expect(answer.status).toBe(status);
  if (status === 403) expect(await answer.text()).toContain("executions:write");
});
