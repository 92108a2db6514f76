import type { Endpoint } from "../endpoint.ts";
import { accessExamples } from "./access.ts";
import { accountExamples } from "./accounts.ts";
import { alertExamples } from "./alerts.ts";
import { backtestExamples } from "./backtests.ts";
import type { Example, Examples } from "./example.ts";
import { executionExamples } from "./executions.ts";
import { flowExamples } from "./flows.ts";
import { serviceExamples } from "./services.ts";
import { tableExamples } from "./tables.ts";
import { webhookExamples } from "./webhooks.ts";

const formToCrm = {
  id: "form-to-crm",
  name: "Form to CRM",
  description: "A contact form on your own page creates contacts in HubSpot, and loses no one when HubSpot is down.",
  category: "sales",
  trigger: "form",
  nodeTypes: ["call", "table"],
  services: [{ id: "hubspot", name: "HubSpot", icon: { letters: "Hs", color: "#c8431a" } }],
};

const templateExamples: Examples = {
  "GET /templates": { answer: formToCrm },
  "GET /templates/:id": {
    answer: {
      ...formToCrm,
      text: "People fill in a form at the flow's own URL. Each becomes a contact in HubSpot.",
      credentials: [{ name: "hubspot", types: ["bearer"], help: "The access token of a private app of HubSpot." }],
      tables: [{ name: "unsent-leads", columns: [{ name: "email", type: "text" }] }],
      variables: [{ name: "channel", value: "#sales", help: "The id or name of the Slack channel." }],
      flow: { name: "Form to CRM", trigger: { type: "form", config: { fields: [{ name: "email" }] } }, nodes: [] },
    },
  },
};

const nodeTypeExamples: Examples = {
  "GET /node-types": {
    answer: [
      {
        type: "if-else",
        name: "If / else",
        family: "logic",
        icon: "arrows-split",
        iconPath: "M21 17h-8l-3.5 -5h-6.5M21 7h-8l-3.495 5M18 10l3 -3l-3 -3M18 20l3 -3l-3 -3",
        summary: ["when {condition}"],
        description: "Takes one of two branches.",
        keywords: ["condition", "filter"],
        effect: "none",
        handles: {
          fixed: ["true", "false"],
          labels: { true: ["yes", "then"], false: ["no", "else"] },
        },
        hasBody: false,
        hasSteps: false,
        waitsFor: null,
        configSchema: { type: "object", properties: { condition: { type: "string" } }, required: ["condition"] },
      },
    ],
  },
};

const reference = {
  file: "file_01kadg9r4v8m2qzx6c1n5wb7ht",
  name: "hello.txt",
  contentType: "text/plain",
  size: 13,
  sha256: "68e656b251e67e8358bef8483ab0d51c6619f3e7a1a9f0e75838d41ff368f728",
};

const fileExamples: Examples = {
  "POST /files": { body: "hello, world!", answer: reference },
  "GET /files/:id": { answer: "hello, world!" },
  "DELETE /files/:id": {},
};

/** By operation. Separate from the contract itself, which the browser loads. */
export const allExamples: Examples = {
  ...flowExamples,
  ...backtestExamples,
  ...executionExamples,
  ...webhookExamples,
  ...accessExamples,
  ...alertExamples,
  ...serviceExamples,
  ...tableExamples,
  ...templateExamples,
  ...fileExamples,
  ...accountExamples,
  ...nodeTypeExamples,
};

/** The operation's example; a test checks that every operation has one. */
export function exampleOf({ method, path }: Pick<Endpoint, "method" | "path">): Example | undefined {
  return allExamples[`${method} ${path}`];
}

/** Sample ids, by the part of a path that precedes them. */
const examples: readonly (readonly [pattern: RegExp, id: string])[] = [
  [/^\/flows\/:id/, "flow_01kad6w1m4e8tvm8d9fqzc4x2r"],
  [/^\/executions\/:id/, "exec_01kad7c9p2f6atqxv3m0wz8y5n"],
  [/^\/webhooks\/:id/, "sub_01kad8f3r7h9bvm2x5k1nq6w4t"],
  [/^\/credentials\/:id/, "cred_01kad9h5t8j1cwn3y6m2pr7x5v"],
  [/^\/api-keys\/:id/, "key_01kadam7v9k2dxp4z7n3qs8y6w"],
  [/^\/tables\/:id/, "tbl_01kadcqa2x4e6g8j0m2p4r6t8w"],
  [/^\/services\/:id/, "slack"],
  [/^\/templates\/:id/, "form-to-crm"],
  [/^\/files\/:id/, "file_01kadg9r4v8m2qzx6c1n5wb7ht"],
];

const byName: Readonly<Record<string, string>> = {
  nodeId: "price",
  version: "3",
  testId: "test_01kadd2q4x6hzwr9b5s8tv3m1c",
  operationId: "send-message",
  rowId: "row_01kadcs5b7d9f1h3k5n7q9s1v3",
  backtestId: "bt_01kadf6n2r7j3vzx8b4c9mq5wt",
  executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
  deliveryId: "dlv_01kadbp9w1m3eyq5a8p4rt9z7x",
};

/** A sample value for a path parameter; undefined if unknown. */
export function pathExample(path: string, parameter: string): string | undefined {
  if (parameter !== "id") return byName[parameter];
  return examples.find(([pattern]) => pattern.test(path))?.[1];
}
