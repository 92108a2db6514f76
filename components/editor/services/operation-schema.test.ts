import { expect, test } from "vitest";
import type { ListedOperation, ShownService, WholeOperation } from "#lib/contract/services.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { call } from "#lib/nodes/call/call.ts";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { showOperation, showService } from "#lib/service-imports/show.ts";
import { findOperation, findService } from "#lib/services/model/all.ts";
import { callsOperation, operationSchema, standIn, withoutOthersFields } from "./operation-schema.ts";

const schemaOf = (nodeType: string) =>
  nodeManifests().find(({ type }) => type === nodeType)?.configSchema as JsonObject;
const schema = schemaOf(call.type);

function known(id: string, operationId: string) {
  const service = findService(id);
  const operation = findOperation(service, operationId);
  if (service === undefined || operation === undefined) throw new Error(`there is no ${id} ${operationId}`);
  const chosen: ShownService & { operations: ListedOperation[] } = { ...showService(service), operations: [] };
  const whole: WholeOperation = showOperation(service, operation);
  return { services: [showService(service)], chosen, operation: whole };
}

test("a call's form has the fields of its operation, and no others", () => {
  const { properties, required } = operationSchema(schema, known("slack", "send-message"));
  expect(Object.keys(properties as object).slice(0, 4)).toEqual(["service", "operation", "credential", "body"]);
  expect(properties).toMatchObject({
    service: { enum: ["slack"], labels: { slack: "Slack" } },
    body: { title: "Body", properties: { channel: { title: "Channel", type: "string" } }, required: ["channel"] },
  });
  expect(required).toEqual(["service", "operation", "body"]);
  expect(properties).not.toHaveProperty("allPages");
});

test("a list offers all pages, and a service with own addresses asks for one", () => {
  expect(operationSchema(schema, known("slack", "list-channels")).properties).toHaveProperty("allPages");
  expect(operationSchema(schema, known("jira", "find-issues")).required).toContain("baseUrl");
});

test("another service or operation leaves nothing of the one before", () => {
  const config = { service: "slack", operation: "x", credential: "c", body: { a: 1 }, parameters: {}, notes: "n" };
  expect(withoutOthersFields(schema, config, "service")).toEqual({ service: "slack", notes: "n" });
  expect(withoutOthersFields(schema, config, "operation")).toEqual({
    ...{ service: "slack", operation: "x", credential: "c", notes: "n" },
  });
  expect(withoutOthersFields(schema, config, "notes")).toEqual(config);
});

test("other nodes call no operation", () => {
  expect(nodeManifests().filter(({ configSchema }) => callsOperation(configSchema))).toHaveLength(1);
});

test("what a call answers has the names that its operation promises", () => {
  expect(standIn(known("slack", "send-message").operation.answerSchema)).toEqual({
    ...{ ok: true, channel: "text", ts: "text", message: { text: "text" } },
  });
  expect(standIn(known("github", "list-issues").operation.answerSchema)).toMatchObject([{ number: 0, title: "text" }]);
});
