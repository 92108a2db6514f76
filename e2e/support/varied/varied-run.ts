// Runs that are as different as runs are, to be made tests of: how each is described, and how it is driven to its end.
import { get, post } from "../api-client.ts";
import type { CountingServer } from "../counting-server.ts";
import { ended, node, edge as plainEdge, type TestExecution, type TestFlow } from "../flows.ts";

type Json = Record<string, unknown>;
export type Nodes = readonly (Json & { readonly id: string; readonly type: string; readonly config: Json })[];

/** What a run has around it. */
export interface Around {
  /** Its paths say what it answers: see `varied-service.ts`. */
  readonly service: CountingServer;
  /** Flows to start: one doubles `n`, one fails, one asks the service and another flow. */
  readonly child: string;
  readonly failing: string;
  readonly asking: string;
  /** A credential for the service, and a table with the columns `n` and `note`. */
  readonly credential: string;
  readonly table: string;
}

/** A flow, and how one run of it comes about. */
export interface VariedRun {
  readonly nodes: Nodes;
  readonly edges: readonly Json[];
  readonly variables?: Json;
  readonly trigger?: Json;
  /** What it is called with. */
  readonly data?: Json;
  /** Tests of it run its sub-flows through. */
  readonly deep?: boolean;
  /** Answers its waits: called again and again until it has ended, and told how often it was. */
  readonly answer?: (run: TestExecution, turn: number) => Promise<unknown>;
  /** Starts the run in another way than by calling it; returns its id. */
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

export function varied(nodes: Nodes, arrows: readonly string[] = [], more: Partial<VariedRun> = {}): VariedRun {
  return { nodes, edges: arrows.map(arrow), ...more };
}

export const transform = (id: string, program: unknown, more: Json = {}) =>
  node(id, "transform", { transform: program, ...more });
export const body = (nodes: Nodes, arrows: readonly string[] = []) => ({ nodes, edges: arrows.map(arrow) });
/** A request that is not repeated by chance: without a body but what is given. */
export const send = (id: string, url: string, more: Json = {}) =>
  node(id, "http-request", { method: "POST", url, body: { amount: 42 }, ...more });
export const disabled = <Node extends Json>(one: Node) => ({ ...one, disabled: true });

/** Drives a run of the flow to its end, and returns it. */
export async function driven({ data, answer, start }: VariedRun, flow: TestFlow): Promise<TestExecution> {
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

/** Answers a wait of a run; one that is not open yet is left for the next turn. */
export async function resume(run: TestExecution, nodeId: string, given: Json = {}, iteration?: number): Promise<void> {
  const at = iteration === undefined ? "" : `?iteration=${iteration}`;
  await post(`/executions/${run.id}/nodes/${nodeId}/resume${at}`, given);
}
