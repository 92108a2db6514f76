import type { Examples } from "./example.ts";

const id = "flow_01kad6w1m4e8tvm8d9fqzc4x2r";
const name = "Order intake";
const description = "Checks an order and answers with its total";
const variables = { vatPercent: 20 };
const tags = ["orders"];
const settings = { timeoutMs: 60_000 };
const url = "http://localhost:3000/api/v1/webhooks/hook_7zk3v8q2m5n9x4c1b6d0f8g3h2";
const createdAt = "2026-01-31T09:30:00.000Z";
const updatedAt = "2026-01-31T10:12:45.120Z";

const webhookTrigger = { type: "webhook", config: { method: "POST" } };
const trigger = { type: "webhook", config: { method: "POST", url } };

const nodes = [
  {
    id: "check",
    type: "if-else",
    name: "Is it an order?",
    position: { x: 280, y: 80 },
    config: { condition: "$trigger.body.items.length > 0" },
  },
  {
    id: "total",
    type: "transform",
    name: "Total",
    position: { x: 560, y: 80 },
    config: { transform: "({ total: $trigger.body.items.reduce((sum, item) => sum + item.price, 0) })" },
  },
];
const edges = [{ source: "check", target: "total", sourceHandle: "true" }];

const summary = { id, name, description, status: "active", tags, trigger, nodes, createdAt, updatedAt };
const figures = { lastExecutedAt: "2026-01-31T10:30:00.000Z", executionCount: 12 };
const document = { variables, edges, settings, version: 3 };
const created = { ...summary, ...document, status: "draft", updatedAt: createdAt, version: 1 };
const flow = { ...summary, ...figures, ...document, averageExecutionTime: 42 };
const exported = { name, description, trigger: webhookTrigger, nodes, edges, variables };
const version = { version: 2, createdAt: updatedAt, createdBy: "ada@example.com", isCurrent: false, liveAt: null };

const workingCopy = {
  definition: { name, trigger, nodes, edges, variables: { vatPercent: 19 }, settings },
  basedOn: 3,
  currentVersion: 3,
  revision: 7,
  updatedAt,
  updatedBy: "user_01kad5v2n8c4wtm7e1fqzd6x3s",
  updatedByName: "Ada",
  changes: [{ path: "variables", kind: "changed", summary: "Variables: vatPercent" }],
  summary: "Variables: vatPercent",
  problems: [],
};

const test = {
  name: "An order of two items",
  trigger: { body: { items: [{ price: 12.5 }, { price: 30 }] }, headers: {}, query: {}, method: "POST" },
  now: "2026-01-31T10:30:00.000Z",
  recordings: {},
  expect: {
    status: "completed",
    output: { total: 42.5 },
    nodes: { check: { status: "completed" } },
    ignore: ["output.id"],
  },
};
const storedTest = {
  id: "test_01kadd2q4x6hzwr9b5s8tv3m1c",
  flowId: id,
  ...test,
  deep: false,
  createdAt,
  updatedAt,
  lastResult: { status: "passed", at: updatedAt, version: 3 },
};

export const flowExamples: Examples = {
  "GET /flows/:id/tests": { answer: storedTest },
  "POST /flows/:id/tests": { body: test, answer: { ...storedTest, updatedAt: createdAt, lastResult: null } },
  "GET /flows/:id/tests/:testId": { answer: storedTest },
  "PATCH /flows/:id/tests/:testId": {
    body: { expect: { status: "completed", output: { total: 50 } } },
    answer: { ...storedTest, expect: { status: "completed", output: { total: 50 } }, lastResult: null },
  },
  "DELETE /flows/:id/tests/:testId": {},
  "POST /flows/:id/tests/:testId/accept": { body: {}, answer: storedTest },
  "POST /flows/:id/tests/run": {
    body: { version: 3 },
    answer: {
      passed: 0,
      failed: 1,
      durationMs: 12,
      results: [
        {
          testId: storedTest.id,
          name: test.name,
          status: "failed",
          problems: [{ path: "output.total", nodeId: null, message: "differs", expected: 42.5, actual: 50 }],
          notRecorded: [],
        },
      ],
    },
  },
  "POST /flows/:id/rehearse": {
    body: { testId: storedTest.id, faults: [{ nodeId: "pay", fault: "killed-after" }] },
    answer: {
      cases: [
        {
          nodeId: "pay",
          fault: "killed-after",
          status: "completed",
          answer: { total: 42.5 },
          handled: true,
          repeatedEffects: ["pay"],
          attempts: 2,
          note: "The process died after the request and before its record; the next one sent it again, with the same Idempotency-Key. The answer is the same.",
        },
      ],
    },
  },
  "GET /flows": { answer: { ...summary, ...figures } },
  "POST /flows": {
    body: { name, description, tags, variables, trigger: webhookTrigger, nodes, edges },
    answer: created,
  },
  "GET /flows/:id": { answer: flow },
  "PATCH /flows/:id": {
    body: { name: "Order intake, Europe", status: "active" },
    answer: { id, name: "Order intake, Europe", status: "active", updatedAt },
  },
  "DELETE /flows/:id": {},
  "GET /flows/tags": { answer: [{ tag: "shop", flows: 3 }] },
  "POST /flows/check": {
    body: { trigger: webhookTrigger, nodes: [{ id: "ask", type: "http-request" }], edges: [] },
    answer: { problems: [{ path: "nodes[0].config.url", message: "must be text", nodeId: "ask" }], advice: [] },
  },
  "POST /flows/:id/execute": {
    body: { data: { items: [{ price: 12.5 }, { price: 30 }] }, async: false, metadata: { batch: "2026-01" } },
    answer: {
      executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
      flowId: id,
      status: "completed",
      startedAt: "2026-01-31T10:30:00.000Z",
      completedAt: "2026-01-31T10:30:00.042Z",
      duration: 42,
      output: { total: 42.5 },
      nodes: [
        { nodeId: "check", status: "completed", output: { result: true, branch: "true" } },
        { nodeId: "total", status: "completed", output: { total: 42.5 } },
      ],
    },
    answers: {
      202: {
        executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
        flowId: id,
        status: "running",
        startedAt: "2026-01-31T10:30:00.000Z",
      },
    },
  },
  "POST /flows/:id/poll": {
    answer: {
      polledAt: "2026-01-31T10:30:00.000Z",
      nextAt: "2026-01-31T10:30:20.000Z",
      items: 50,
      failures: 0,
      error: null,
    },
  },
  "GET /flows/:id/presence": {
    answer: {
      id: 1,
      event: "presence",
      data: {
        you: "user_01kad5z8w3n6r4v2y9b7c1d0ey",
        people: [
          {
            tab: "k3v9x2m7qa",
            userId: "user_01kad5z8w3n6r4v2y9b7c1d0ex",
            name: "Ana Lind",
            selection: ["price"],
            within: "each-item",
          },
        ],
        others: 0,
        saved: { version: 4, updatedAt, revision: 0 },
      },
    },
  },
  "PUT /flows/:id/favorite": {},
  "DELETE /flows/:id/favorite": {},
  "PUT /flows/:id/presence": { body: { tab: "k3v9x2m7qa", selection: ["price"], within: "each-item" } },
  "DELETE /flows/:id/presence": {},
  "POST /flows/:id/duplicate": {
    body: { name: "Order intake, a try", includeVariables: true, includeConnections: true },
    answer: { id: "flow_01kad8f3c7h2vnx5q9rm4tz6yb", name: "Order intake, a try", status: "draft", createdAt },
  },
  "GET /flows/:id/export": { answer: { version: "1.0.0", exportedAt: updatedAt, flow: exported } },
  "POST /flows/import": {
    body: { name, data: { version: "1.0.0", flow: exported }, overwriteVariables: true },
    answer: {
      ...created,
      report: {
        converted: 2,
        gaps: [
          {
            node: "Slack",
            type: "n8n-nodes-base.slack",
            reason:
              "Needs the credential “Slack account” (slackApi in n8n). Create it here as “slackAccount”, of type bearer.",
            nodeId: "slack",
            credential: { name: "slackAccount", type: "bearer" },
          },
        ],
      },
    },
  },
  "GET /flows/:id/versions": { answer: version },
  "GET /flows/:id/versions/:version": { answer: { ...version, trigger, nodes, edges, variables } },
  "PATCH /flows/:id/versions/:version": {
    body: { name: "Before the new rates" },
    answer: { version: 2, name: "Before the new rates" },
  },
  "POST /flows/:id/versions/:version/restore": { answer: { id, nodes, edges, version: 4, updatedAt } },
  "GET /flows/:id/draft": { answer: workingCopy },
  "PUT /flows/:id/draft": {
    body: { definition: { name, trigger: webhookTrigger, nodes, edges, variables: { vatPercent: 19 }, settings } },
    answer: workingCopy,
  },
  "DELETE /flows/:id/draft": {},
  "POST /flows/:id/publish": {
    body: { summary: "VAT is 19 % again", ifVersion: 3 },
    answer: { ...created, status: "active", variables: { vatPercent: 19 }, version: 4, updatedAt },
  },
  "POST /schedules/preview": {
    body: { cron: "0 9 * * MON-FRI", timezone: "Europe/Berlin" },
    answer: { times: ["2026-02-02T08:00:00.000Z", "2026-02-03T08:00:00.000Z"] },
  },
};
