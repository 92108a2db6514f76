// Ids of another workspace in bodies, queries and node configs are no way in. The places are read from the API's own
// description: a new one without a case here fails.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type Answer, call, get } from "#e2e/support/api-client.ts";
import {
  createOneOfEach,
  type IdsByPath,
  missingThings,
  newTenant,
  snapshotOf,
  type Tenant,
} from "#e2e/support/matrix/own-resources.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: unknown }> };
}
interface BodySchema {
  readonly $ref?: string;
  readonly properties?: object;
  readonly allOf?: readonly BodySchema[];
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, BodySchema> };
}

type Call = (path: string, body?: unknown) => Promise<Answer>;

let ours: Tenant;
let theirs: Tenant;
let ids: IdsByPath;

const idAt = (name: string) => ids[name] ?? "";
const credentialNode = { id: "c", type: "http-request", config: { url: "http://127.0.0.1:9999/", credential: "ours" } };
const flowWith = (node: object) => ({ name: "Reaching", trigger: { type: "manual" }, nodes: [node], edges: [] });

/** By the id's place. The other workspace sends each, and the resource must seem not to exist. */
const cases: Record<string, (send: (method: string) => Call) => Promise<void>> = {
  "GET /executions?flowId": async (send) => {
    expect((await send("GET")(`/executions?flowId=${idAt("/flows/:id")}`)).data).toEqual([]);
  },
  "GET /executions/stats?flowId": async (send) => {
    const { data } = await send("GET")(`/executions/stats?flowId=${idAt("/flows/:id")}`);
    expect(data).toMatchObject({ summary: { totalExecutions: 0 } });
  },
  "GET /executions/overview?flowId": async (send) => {
    const foreign = await send("GET")(`/executions/overview?flowId=${idAt("/flows/:id")}`);
    const none = await send("GET")(`/executions/overview?flowId=${missingThings["/flows/:id"]}`);
    expect([foreign.status, JSON.stringify(foreign.body).includes(idAt("/executions/:id"))]).toEqual([
      none.status,
      false,
    ]);
  },
  "GET /executions/recent?flowIds": async (send) => {
    const { text } = await send("GET")(`/executions/recent?flowIds=${idAt("/flows/:id")}`);
    expect(text).not.toContain(idAt("/executions/:id"));
  },
  "POST /alert-rules flowId": async (send) => {
    const rule = { name: "Reaching", kind: "failures_in_row", flowId: idAt("/flows/:id") };
    expect((await send("POST")("/alert-rules", rule)).error.details).toEqual({ flowId: "there is no such flow" });
  },
  "PATCH /alert-rules/:id flowId": async (send) => {
    const { data } = (await send("POST")("/alert-rules", { name: "Own", kind: "failures_in_row" })) as Answer<{
      id: string;
    }>;
    const { error } = await send("PATCH")(`/alert-rules/${data.id}`, { flowId: idAt("/flows/:id") });
    expect(error.details).toEqual({ flowId: "there is no such flow" });
  },
  ...Object.fromEntries(
    ["bulk-cancel", "bulk-delete", "bulk-retry"].map((name) => [
      `POST /executions/${name} executionIds`,
      async (send: (method: string) => Call) => {
        const executionIds = [idAt("/executions/:id")];
        expect((await send("POST")(`/executions/${name}`, { executionIds })).data).toMatchObject({
          matched: 0,
          done: 0,
        });
      },
    ]),
  ),
  "DELETE /executions flowId": async (send) => {
    expect((await send("DELETE")("/executions", { flowId: idAt("/flows/:id") })).data).toMatchObject({
      deletedCount: 0,
    });
  },
  "DELETE /executions executionIds": async (send) => {
    const executionIds = [idAt("/executions/:id")];
    expect((await send("DELETE")("/executions", { executionIds })).data).toMatchObject({ deletedCount: 0 });
  },
  "POST /flows/check flowId": async (send) => {
    const definition = { trigger: { type: "manual" }, nodes: [], edges: [] };
    const answer = await send("POST")("/flows/check", { ...definition, flowId: idAt("/flows/:id") });
    const none = await send("POST")("/flows/check", { ...definition, flowId: missingThings["/flows/:id"] });
    expect([answer.status, answer.body]).toEqual([none.status, none.body]);
  },
  "POST /flows/:id/tests fromExecutionId": async (send) => {
    const path = `/flows/${await ownFlow(send)}/tests`;
    const answer = await send("POST")(path, { fromExecutionId: idAt("/executions/:id") });
    const none = await send("POST")(path, { fromExecutionId: missingThings["/executions/:id"] });
    expect([answer.status, answer.error]).toEqual([none.status, none.error]);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  },
  "POST /flows/:id/tests/run testIds": async (send) => {
    const testIds = [idAt("/flows/:id/tests/:testId")];
    const { error } = await send("POST")(`/flows/${await ownFlow(send)}/tests/run`, { testIds });
    expect(error.details).toEqual({ "testIds[0]": "there is no such test of this flow" });
  },
  "POST /flows/:id/rehearse testId": async (send) => {
    const path = `/flows/${await ownFlow(send)}/rehearse`;
    const answer = await send("POST")(path, { testId: idAt("/flows/:id/tests/:testId") });
    const none = await send("POST")(path, { testId: missingThings["/flows/:id/tests/:testId"] });
    expect([answer.status, answer.body]).toEqual([none.status, none.body]);
    expect(answer.status).toBe(404);
  },
  "POST /flows/:id/rehearse executionId": async (send) => {
    const path = `/flows/${await ownFlow(send)}/rehearse`;
    const answer = await send("POST")(path, { executionId: idAt("/executions/:id") });
    const none = await send("POST")(path, { executionId: missingThings["/executions/:id"] });
    expect([answer.status, answer.error]).toEqual([none.status, none.error]);
    expect(answer.status).toBe(400);
  },
  "POST /flows/:id/backtests executionIds": async (send) => {
    const path = `/flows/${await ownFlow(send)}/backtests`;
    const answer = await send("POST")(path, { executionIds: [idAt("/executions/:id")] });
    const none = await send("POST")(path, { executionIds: [missingThings["/executions/:id"]] });
    expect([answer.status, answer.error]).toEqual([none.status, none.error]);
    expect(answer.status).toBe(400);
  },
  "POST /expressions/evaluate executionId": async (send) => {
    const evaluation = { expression: "$trigger.body", executionId: idAt("/executions/:id") };
    const answer = await send("POST")("/expressions/evaluate", evaluation);
    const none = await send("POST")("/expressions/evaluate", {
      ...evaluation,
      executionId: missingThings["/executions/:id"],
    });
    expect([answer.status, answer.body]).toEqual([none.status, none.body]);
    expect(answer.status).toBe(404);
  },
};

/** By node type and config field. */
const configCases: Record<string, (send: (method: string) => Call) => Promise<void>> = {
  "loop flowId": async (send) => {
    const node = { id: "l", type: "loop", config: { items: [1], flowId: idAt("/flows/:id") } };
    expect(await endOf(send, node)).toBe("failed");
  },
  "sub-flow flowId": async (send) => {
    const node = { id: "s", type: "sub-flow", config: { flowId: idAt("/flows/:id") } };
    expect(await endOf(send, node)).toBe("failed");
  },
  "crypto credential": async (send) => {
    const node = { id: "c", type: "crypto", config: { action: "hmac", value: "x", credential: "ours" } };
    expect(await endOf(send, node)).toBe("failed");
  },
  "send-mail credential": async (send) => {
    const config = { to: "ann@example.com", subject: "Hi", text: "Hi", credential: "ours" };
    expect(await endOf(send, { id: "m", type: "send-mail", config })).toBe("failed");
  },
  "sql credential": async (send) => {
    const node = { id: "s", type: "sql", config: { query: "SELECT 1", credential: "ours" } };
    expect(await endOf(send, node)).toBe("failed");
  },
  "ai credential": async (send) => {
    const config = { model: "m", prompt: "Hi", credential: "ours" };
    expect(await endOf(send, { id: "a", type: "ai", config })).toBe("failed");
  },
  "agent credential": async (send) => {
    const config = { model: "m", prompt: "Hi", tools: [], credential: "ours" };
    expect(await endOf(send, { id: "a", type: "agent", config })).toBe("failed");
  },
  "call credential": async (send) => {
    const config = {
      service: "slack",
      operation: "send-message",
      body: { channel: "C1", text: "Hi" },
      credential: "ours",
    };
    expect(await endOf(send, { id: "c", type: "call", config })).toBe("failed");
  },
  "http-request credential": async (send) => {
    expect(await endOf(send, credentialNode)).toBe("failed");
  },
};

/** What a flow that starts by itself would listen to, by trigger type and config field. */
const triggerConfigs: Record<string, () => object> = {
  "error flowIds": () => ({ flowIds: [idAt("/flows/:id")] }),
  "table table": () => ({ table: idAt("/tables/:id") }),
};

/** A new flow of the workspace that sends. */
async function ownFlow(send: (method: string) => Call, node: object = { id: "l", type: "log" }): Promise<string> {
  return ((await send("POST")("/flows", flowWith(node))) as Answer<{ id: string }>).data.id;
}

/** The end of a run of a flow with this one node. */
async function endOf(send: (method: string) => Call, node: object): Promise<string> {
  const flow = await ownFlow(send, node);
  const run = (await send("POST")(`/flows/${flow}/execute`, { async: false })) as Answer<{ status: string }>;
  return run.data.status;
}

describe.skipIf(inject("server").dataDir === undefined)("an id of another workspace", () => {
  let before: string;
  const send =
    (method: string): Call =>
    (path, body) =>
      call(method, path, body, { key: theirs.key });

  beforeAll(async () => {
    [ours, theirs] = [await newTenant("Ours"), await newTenant("Theirs")];
    ids = await createOneOfEach(ours);
    before = await snapshotOf(ours.workspaceId);
  });

  // Proves authentication.ids-in-bodies
  it.each(Object.keys(cases))("seems not to exist: %s", (name) => cases[name]?.(send));
  it.each(Object.keys(configCases))("in a node seems not to exist: %s", (name) => configCases[name]?.(send));

  it.each(Object.entries(triggerConfigs))("in a trigger seems not to exist: %s", async (place, config) => {
    const [type = "", field = ""] = place.split(" ");
    const trigger = { type, config: config() };
    const answer = await send("POST")("/flows", { name: "Reaching", status: "active", trigger, nodes: [], edges: [] });
    const details = { [`trigger.config.${field}`]: expect.stringMatching(/^there is no (flow|table) "/) };
    expect([answer.status, answer.error.details]).toEqual([400, details]);
  });

  it("as a sub-path of one's own resource is not found", async () => {
    const own = await createOneOfEach(theirs);
    const delivery = idAt("/webhooks/:id/deliveries/:deliveryId");
    const answer = await send("POST")(`/webhooks/${own["/webhooks/:id"]}/deliveries/${delivery}/redeliver`);
    expect([answer.status, answer.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  it("in an expression reveals nothing", async () => {
    const expression = "typeof $credentials === 'undefined' ? null : $credentials.ours";
    const answer = await send("POST")("/expressions/evaluate", { expression });
    expect(JSON.stringify(answer.body)).not.toMatch(/[0-9a-f]{24}/);
  });

  it("wherever the API accepts one, has a case", async () => {
    const { body } = (await get("/openapi.json")) as Answer & { body: Document };
    const found = Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => ["get", "post", "patch", "delete"].includes(method))
        .flatMap(([method, operation]) =>
          idsOf(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`, operation, body.components.schemas),
        ),
    );
    expect(found.sort()).toEqual(Object.keys(cases).sort());
    const { data } = (await get("/node-types")) as Answer<{ type: string; configSchema: { properties?: object } }[]>;
    const configs = data.flatMap(({ type, configSchema }) =>
      Object.keys(configSchema.properties ?? {})
        .filter((name) => isReference(name))
        .map((name) => `${type} ${name}`),
    );
    expect(configs.sort()).toEqual(Object.keys(configCases).sort());
  });

  it("none of this changed our own data", async () => {
    expect(await snapshotOf(ours.workspaceId)).toBe(before);
  });
});

/** Fields that hold a resource's id, or something like one. */
function isReference(name: string): boolean {
  return (
    /^(credential|flowId|executionIds?|fromExecutionId|workspaceId|memberId|[a-z]+Ids?)$/.test(name) &&
    !clientsOwn.has(name)
  );
}
/** Ids that clients assign themselves, and that lead nowhere else. */
const clientsOwn: ReadonlySet<string> = new Set(["id", "nodeId", "lastEventId"]);

function idsOf(
  name: string,
  { parameters = [], requestBody }: Operation,
  named: Document["components"]["schemas"],
): string[] {
  const inQuery = parameters
    .filter((parameter) => parameter.in === "query" && isReference(parameter.name))
    .map((parameter) => `${name}?${parameter.name}`);
  const given = requestBody?.content["application/json"]?.schema as BodySchema | undefined;
  const schemaOf = (schema: BodySchema | undefined) =>
    schema?.$ref === undefined ? schema : named[schema.$ref.replace("#/components/schemas/", "")];
  const schema = schemaOf(given);
  const fields = Object.keys({ ...schema?.properties, ...schemaOf(schema?.allOf?.[0])?.properties });
  return [...inQuery, ...fields.filter(isReference).map((field) => `${name} ${field}`)];
}
