// As varied a set of runs as possible, to turn into tests: how each is described, and how it is driven to its end.
import { get, post } from "../api-client.ts";
import type { CountingServer } from "../counting-server.ts";
import { ended, node, edge as plainEdge, type TestExecution, type TestFlow } from "../flows.ts";

type Json = Record<string, unknown>;
export type Nodes = readonly (Json & { readonly id: string; readonly type: string; readonly config: Json })[];

/** A run's environment. */
export interface Environment {
  /** The service; its paths choose the answers: see `varied-service.ts`. */
  readonly service: CountingServer;
  /** Sub-flows: one doubles `n`, one fails, one calls the service and another flow. */
  readonly child: string;
  readonly failing: string;
  readonly asking: string;
  /** A credential for the service, and a table with the columns `n` and `note`. */
  readonly credential: string;
  readonly table: string;
}

/** A flow, and how to start one run of it. */
export interface VariedRun {
  readonly nodes: Nodes;
  readonly edges: readonly Json[];
  readonly variables?: Json;
  readonly trigger?: Json;
  /** Its input. */
  readonly data?: Json;
  /** Whether its tests execute sub-flows. */
  readonly deep?: boolean;
  /** Answers its waits: called repeatedly until the run has ended, with the number of calls so far. */
  readonly answer?: (run: TestExecution, turn: number) => Promise<unknown>;
  /** Starts the run by other means than an API call; returns its id. */
  readonly start?: (flow: TestFlow) => Promise<string>;
}

export const called = {
  n: 21,
  tier: "gold",
  at: "2030-01-31T10:00:00Z",
  items: [
    { sku: "a", price: 3 },
    { sku: "b", price: 4 },
    { sku: "c", price: 5 },
  ],
};
export const items = "{{ $trigger.body.items }}";

/** `a -> b`, or `a:handle -> b` for an edge that leaves by a handle. */
export function arrow(text: string): Json {
  const [from = "", target = ""] = text.split(" -> ");
  const [source = "", handle] = from.split(":");
  return plainEdge(source, target, handle);
}

export function varied(nodes: Nodes, arrows: readonly string[] = [], options: Partial<VariedRun> = {}): VariedRun {
  return { nodes, edges: arrows.map(arrow), ...options };
}

export const transform = (id: string, program: unknown, config: Json = {}) =>
  node(id, "transform", { transform: program, ...config });
export const body = (nodes: Nodes, arrows: readonly string[] = []) => ({ nodes, edges: arrows.map(arrow) });
/** A unique request, without a body unless one is given. */
export const send = (id: string, url: string, config: Json = {}) =>
  node(id, "http-request", { method: "POST", url, body: { amount: 42 }, ...config });
export const disabled = <Node extends Json>(node: Node) => ({ ...node, disabled: true });

/** Drives a run of the flow to its end, and returns it. */
export async function runToEnd({ data, answer, start }: VariedRun, flow: TestFlow): Promise<TestExecution> {
  const id = start === undefined ? await begun(flow.id, data ?? called) : await start(flow);
  for (let turn = 0; answer !== undefined; turn += 1) {
    const { data: run } = await get<TestExecution>(`/executions/${id}`);
    if (run.status !== "running" && run.status !== "pending") break;
    await answer(run, turn);
  }
  return await ended(id);
}

async function begun(flowId: string, data: Json): Promise<string> {
  const { data: run, text } = await post<{ executionId: string }>(`/flows/${flowId}/execute`, { data });
  if (run === undefined) throw new Error(text);
  return run.executionId;
}

/** Answers a run's wait; leaves one that is not open yet for the next call. */
export async function resume(run: TestExecution, nodeId: string, given: Json = {}, iteration?: number): Promise<void> {
  const at = iteration === undefined ? "" : `?iteration=${iteration}`;
  await post(`/executions/${run.id}/nodes/${nodeId}/resume${at}`, given);
}
