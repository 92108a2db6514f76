// A run for tests that never store it.

import { settleBranches } from "#lib/engine/branches.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { depthOf } from "#lib/engine/flow-body.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import type { Step } from "#lib/engine/step.ts";
import { compileVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { Journal } from "#lib/executions/store/journal.ts";
import { defaultOutputLimits, RunSizes } from "#lib/executions/store/run-sizes.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { defaultLimits, type SandboxResult, type SandboxTask } from "#lib/sandbox/sandbox.ts";
import type { Run, TriggerData } from "../run.ts";

interface TestRunOptions {
  readonly nodes: readonly FlowNode[];
  readonly edges?: readonly FlowEdge[];
  readonly variables?: JsonObject;
  readonly trigger?: Partial<TriggerData>;
}

export function testRun({ nodes, edges = [], variables = {}, trigger }: TestRunOptions): Run {
  const definition = { trigger: { type: "manual" as const, config: {} }, nodes, edges, variables };
  const data: TriggerData = { body: {}, headers: {}, query: {}, method: "POST", ...trigger };
  return {
    id: "exec_test",
    workspaceId: "ws_test",
    flowId: "flow_test",
    flowName: "Test",
    flowVersion: 1,
    startedAt: "2026-01-31T10:00:00.000Z",
    timeoutMs: 1_000,
    workedMs: 0,
    isSubFlow: false,
    isOfDraft: false,
    originalId: null,
    isSuspect: false,
    isStored: () => false,
    fence: 1,
    trigger: { value: data, json: JSON.stringify(data) },
    depth: depthOf(data.headers),
    version: compileVersion(definition, settleBranches(nodes, edges, nodeTypes.traits)),
    journal: new Journal(),
    sizes: new RunSizes(defaultOutputLimits),
    stop: new AbortController(),
    secrets: new Map(),
    mask: noMask,
  };
}

/** The node with this id as a step of the run, reached by those of its edges that `outcomes` does not skip. */
export function stepOf(run: Run, id: string, outcomes: ReadonlyMap<string, Outcome> = new Map()): Step {
  const { graph } = run.version;
  const found = graph.byId.get(id);
  if (found === undefined) throw new Error(`there is no node "${id}"`);
  const taken = found.incoming.filter(
    ({ source }) => outcomes.has(source) && outcomes.get(source)?.status !== "skipped",
  );
  return { id, node: found, taken, frame: { graph, outcomes, iteration: null } };
}

/** A sandbox that records its requests and answers each program by its source. */
export function fakeSandbox(answers: Readonly<Record<string, unknown>> = {}) {
  const tasks: SandboxTask[] = [];
  const sandbox = {
    limits: defaultLimits,
    run: async (task: SandboxTask) => {
      tasks.push(task);
      return { results: task.programs.map(({ source }) => resultOf(source, answers[source])), logs: [] };
    },
  } as unknown as Outside["sandbox"];
  return { sandbox, tasks };
}

function resultOf(source: string, answer: unknown): SandboxResult {
  if (answer !== undefined) return { ok: true, json: JSON.stringify(answer), type: typeof answer };
  const message = `${source} is not defined`;
  return { ok: false, error: { kind: "thrown", name: "ReferenceError", message, position: 0 } };
}
