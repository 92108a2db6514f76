import type { JsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { findOperation, findService } from "#lib/services/model/all.ts";
import type { Operation, Service } from "#lib/services/model/service.ts";
import { describeStored } from "#lib/services/model/stored.ts";
import { convertValue } from "../convert.ts";
import { defineNode, type NodeContext, NodeFailure } from "../define.ts";
import { isPlainRead, sendRequest } from "../http-request/send-request.ts";
import { callRequest } from "./call-request.ts";
import { callProblem, checkedValues, isImported } from "./check-values.ts";
import { callConfig } from "./config.ts";

/** Calls an operation of a service. */
export const call = defineNode({
  type: "call",
  name: "Call a service",
  keywords: ["app", "integration", "connector"],
  family: "action",
  icon: "plug-connected",
  iconPath:
    "M7 12l5 5l-1.5 1.5a3.536 3.536 0 1 1 -5 -5l1.5 -1.5M17 12l-5 -5l1.5 -1.5a3.536 3.536 0 1 1 5 5l-1.5 1.5M3 21l2.5 -2.5M18.5 5.5l2.5 -2.5M10 11l-2 2M13 14l-2 2",
  summary: ["{service:text}: {operation:text}", "{service:text}"],
  description: `Calls an operation of a service: send a message in Slack, open an issue on GitHub, or any operation of an OpenAPI document that
you imported. \`GET /services\` lists them; \`parameters\` and \`body\` hold the operation's inputs, by name; those that
are null are omitted. The output is the operation's response: its JSON, a reference if it is a file, null if it is empty. With \`allPages\`
it is \`{items, pages, isComplete}\`. The request is sent like an \`http-request\`: with the same limits, \`retry\`,
\`Idempotency-Key\` and outbound guard. \`baseUrl\` is for services with your own URL: Jira, Shopify, your GitLab.

Fails with \`INVALID_CONFIG\` when a parameter is missing or wrong, \`HTTP_STATUS\` when the service answers 400 or above,
\`SERVICE_REFUSED\` when it reports an error with status 200, as Slack does, \`SERVICE_NOT_FOUND\` when an imported service or
its operation was deleted, and like \`http-request\` if there is no response.

Example: \`{"service": "slack", "operation": "send-message", "credential": "slackBot", "body": {"channel": "C0123456789",
"text": "Order {{ $trigger.body.id }} is paid"}}\` gives \`{"ok": true, "channel": "C0123456789", "ts": "1700000000.000100"}\`.`,
  effect: "outside",
  ignoresInput: true,
  acts: (config) => {
    const operation = knownOperation(config);
    return operation !== undefined && (operation.reads === true || isPlainRead(operation.method)) ? "read" : "write";
  },
  // Results of pages, files, XML and imported services cannot be computed from one recorded answer.
  unrepeatable: (config) =>
    config.allPages === true || isImported(config.service) || knownOperation(config)?.answers !== undefined,
  sends: ["service", "operation", "baseUrl", "credential", "parameters", "body"],
  showsRetries: true,
  credentialNames: ({ credential }) => (typeof credential === "string" ? [credential] : []),
  handles: plainHandle,
  config: callConfig,
  problem: callProblem,
  example: {
    service: "slack",
    operation: "send-message",
    credential: "slackBot",
    body: { channel: "C0123456789", text: "Order {{ $trigger.body.id }} is paid" },
  },
  async run(config, context) {
    const { service, operation } = await operationOf(config.service, config.operation, context);
    const values = {
      parameters: checkedValues("parameters", operation.parameters, config.parameters),
      body: checkedValues("body", operation.body, config.body),
    };
    const request = await callRequest(service, operation, config, values, context);
    const answer = await sendRequest(request, context, (body) => {
      const refusal = service.refusal?.(body) ?? null;
      if (refusal === null) return;
      throw new NodeFailure("SERVICE_REFUSED", `${service.name} refused "${operation.name}": ${refusal.slice(0, 500)}`);
    });
    if ("pages" in answer) {
      return { output: { items: answer.body, pages: answer.pages, isComplete: answer.isComplete } };
    }
    const isXml = operation.answers === "xml" && typeof answer.body === "string";
    return {
      output: isXml
        ? await convertValue(answer.body, { from: "xml", to: "json", header: false, delimiter: "," }, context)
        : answer.body,
    };
  },
});

function knownOperation({ service, operation }: JsonObject): Operation | undefined {
  if (typeof service !== "string" || typeof operation !== "string") return undefined;
  return findOperation(findService(service), operation);
}

async function operationOf(
  serviceId: string,
  operationId: string,
  context: NodeContext,
): Promise<{ service: Service; operation: Operation }> {
  if (isImported(serviceId)) return describeStored(await context.operation(serviceId, operationId));
  const service = findService(serviceId);
  const operation = findOperation(service, operationId);
  if (service !== undefined && operation !== undefined) return { service, operation };
  const message =
    service === undefined ? `There is no service "${serviceId}"` : `${service.name} has no operation "${operationId}"`;
  throw new NodeFailure("SERVICE_NOT_FOUND", message, { field: service === undefined ? "service" : "operation" });
}
