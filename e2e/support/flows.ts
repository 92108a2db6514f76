// Flows for tests: created in one line, run in another.
import { expect } from "vitest";
import { type Answer, get, post } from "./api-client.ts";
import { eventually } from "./eventually.ts";

export interface TestFlow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: string;
  readonly tags: string[];
  readonly variables: Record<string, unknown>;
  readonly trigger: { readonly type: string; readonly config: Record<string, unknown> & { readonly url: string } };
  readonly nodes: { readonly id: string; readonly config: Record<string, unknown> }[];
  readonly edges: Record<string, unknown>[];
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NodeResult {
  readonly nodeId: string;
  readonly status: string;
  readonly output: unknown;
}

export interface TestRun {
  readonly executionId: string;
  readonly status: string;
  readonly startedAt: string;
  readonly completedAt: string;
  readonly duration: number;
  readonly output: unknown;
  readonly error?: { readonly message: string; readonly nodeId: string | null; readonly code: string };
  readonly nodes: NodeResult[];
}

export interface TestExecution extends Omit<TestRun, "executionId" | "nodes"> {
  readonly id: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly flowVersion: number;
  readonly draft?: boolean;
  readonly draftRevision?: number;
  readonly trigger: { readonly type: string; readonly data: unknown; readonly timestamp: string };
  readonly nodes: (Record<string, unknown> & NodeResult)[];
  readonly waitingFor?: string;
  readonly nodesExecuted: number;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly warnings: { readonly nodeId: string; readonly message: string; readonly code?: string }[];
  readonly metadata: Record<string, unknown>;
  readonly logs?: LogEntry[];
  readonly cancelledAt?: string;
  readonly reason?: string | null;
  readonly originalExecutionId?: string;
}

export interface LogEntry {
  readonly id: string;
  readonly timestamp: string;
  readonly level: string;
  readonly nodeId: string | null;
  readonly message: string;
  readonly data?: unknown;
}

type Json = Record<string, unknown>;

/** A node in one line: `node("call", "http-request", { url })`. */
export const node = (id: string, type: string, config: Json = {}) => ({ id, type, config });
export const transform = (id: string, program: unknown, config: Json = {}) =>
  node(id, "transform", { transform: program, ...config });
export const edge = (source: string, target: string, sourceHandle?: string) =>
  sourceHandle === undefined ? { source, target } : { source, target, sourceHandle };

/** The smallest valid flow. */
export const minimalFlow = { name: "Test", trigger: { type: "webhook" }, nodes: [] as Json[] };

/** Creates a flow and returns the answer. */
export async function createFlow(fields: Json = {}): Promise<TestFlow> {
  const answer = await post<TestFlow>("/flows", { ...minimalFlow, ...fields });
  expect(answer.error).toBeUndefined();
  expect(answer.status).toBe(201);
  return answer.data;
}

/** Runs a stored flow to its end and returns the execution. */
export async function execute(flowId: string, data: Json = {}, options: Json = {}): Promise<TestRun> {
  const answer = await post<TestRun>(`/flows/${flowId}/execute`, { async: false, data, ...options });
  expect(answer.error).toBeUndefined();
  expect(answer.status).toBe(200);
  return answer.data;
}

/** Stores a flow of these nodes and edges, runs it to its end and returns the execution. */
export async function run(nodes: Json[], edges: Json[] = [], data: Json = {}, fields: Json = {}): Promise<TestRun> {
  const flow = await createFlow({ nodes, edges, ...fields });
  return await execute(flow.id, data);
}

/** An expression's value, evaluated in a run. */
export async function evaluate(expression: string, data: Json = {}, fields: Json = {}): Promise<unknown> {
  const ended = await run([transform("value", expression)], [], data, fields);
  expect(ended.error).toBeUndefined();
  return ended.output;
}

/** Each node's status, by id. */
export function statuses({ nodes }: { nodes: readonly NodeResult[] }): Record<string, string> {
  return Object.fromEntries(nodes.map(({ nodeId, status }) => [nodeId, status]));
}

export function outputOf({ nodes }: { nodes: readonly NodeResult[] }, id: string): unknown {
  return nodes.find(({ nodeId }) => nodeId === id)?.output;
}

/** Starts a run in the background and returns the execution's id. */
export async function start(flowId: string, data: Json = {}): Promise<string> {
  const answer = await post<{ executionId: string }>(`/flows/${flowId}/execute`, { data });
  expect(answer.status).toBe(202);
  return answer.data.executionId;
}

export async function readExecution(id: string, query = ""): Promise<TestExecution> {
  const answer: Answer<TestExecution> = await get(`/executions/${id}${query}`);
  expect(answer.status).toBe(200);
  return answer.data;
}

const finalStatuses = ["completed", "failed", "cancelled", "timeout"];

/** Waits for a run's end. */
export function ended(id: string, query = ""): Promise<TestExecution> {
  return eventually(`the execution ${id} ends`, async () => {
    const execution = await readExecution(id, query);
    return finalStatuses.includes(execution.status) ? execution : undefined;
  });
}
