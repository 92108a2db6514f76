// Builds flows for tests of advice.
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { flowEdges, flowNodes, flowTrigger } from "#lib/engine/flow.ts";
import { adviceOnFlow } from "#lib/flows/advice/advice.ts";
import type { LearnedShapes } from "#lib/flows/advice/learned-types.ts";
import type { References } from "#lib/flows/advice/references.ts";
import { planNodes } from "#lib/flows/plan-nodes.ts";

export const none: References = { credentials: new Set(), tables: new Set(), flows: new Map(), missing: new Set() };

export interface Given {
  readonly trigger?: object;
  readonly nodes: readonly object[];
  readonly edges?: readonly string[];
  readonly references?: Partial<References>;
  readonly flowId?: string;
  readonly types?: LearnedShapes;
}

/** `check:true > yes` is an edge from the handle `true`. */
const edgeOf = (text: string) => {
  const [from = "", target] = text.split(" > ");
  const [source, sourceHandle] = from.split(":");
  return { source, target, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
};

export async function advise({ trigger, nodes, edges = [], references, flowId, types }: Given): Promise<FlowAdvice[]> {
  const flow = {
    trigger: flowTrigger.parse(trigger ?? { type: "webhook", config: { authentication: "bearer", credential: "in" } }),
    nodes: flowNodes.parse(nodes),
    edges: flowEdges.parse(edges.map(edgeOf)),
  };
  const context = {
    references: { ...none, ...references },
    ownId: flowId ?? null,
    callerWaitsMs: 25_000,
    ...(types && { types }),
  };
  return await adviceOnFlow(flow, await planNodes("ws", flow), context);
}

export const adviceFor = async (given: Given) =>
  (await advise(given)).map(({ code, nodeId, path }) => [code, nodeId, path]);

export const node = (id: string, type: string, config: object = {}, overrides: object = {}) => ({
  id,
  type,
  config,
  ...overrides,
});
export const url = "https://api.test/";
export const call = (id: string, config: object = {}) =>
  node(id, "http-request", { url, retry: { maxRetries: 2 }, ...config });
export const pay = (id: string, config: object = {}) => call(id, { method: "POST", ...config });
export const transform = (id: string, program: unknown) => node(id, "transform", { transform: program });
export const respond = (id = "answer") => node(id, "respond", { body: "ok" });
export const caught = ["call > answer", "call:error > instead"];
export const loop = (config: object, inner: object) =>
  node("each", "loop", { items: "{{ $trigger.body.orders }}", body: { nodes: [inner], edges: [] }, ...config });
export const every = (cron: string) => ({ type: "schedule", config: { cron } });
export const sub = (flowId: string) => node("sub", "sub-flow", { flowId });
export const other = "flow_01kad6w1m4e8tvm8d9fqzc4x2r";
export const flows = (runs: readonly string[], status = "active") => ({
  flows: new Map([[other, { name: "Other", status, runs }]]),
});
