// Advice on what a flow refers to in its workspace: credentials and other flows.
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { type FlowDefinition, isStorableText } from "#lib/engine/flow.ts";
import { bodyOf, depthMax } from "#lib/engine/flow-body.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { nodeDefinition, nodeTypes } from "#lib/nodes/registry.ts";
import { type AdvisedFlow, adviceOf } from "./advised-flow.ts";

/** A flow's references that exist in its workspace. */
export interface References {
  readonly credentials: ReadonlySet<string>;
  /** Tables, by the names or ids that the flow uses. */
  readonly tables: ReadonlySet<string>;
  /** Flows that it runs, directly or through others. */
  readonly flows: ReadonlyMap<
    string,
    { readonly name: string; readonly status: string; readonly runs: readonly string[] }
  >;
  /** Flows that were not found. With very many references, not all are looked up. */
  readonly missing: ReadonlySet<string>;
}

type Node = FlowDefinition["nodes"][number];

/** Ids of all flows that these nodes run, including nodes in loops. */
export function flowsStartedBy(nodes: readonly Node[]): string[] {
  return nodesOf(nodes).flatMap(flowsStarted);
}

function nodesOf(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...nodesOf(bodyOf(node, nodeTypes.traits)?.nodes ?? [])]);
}

/** Ids of the flows that a node runs. */
export function flowsStarted({ type, config, disabled }: Node): string[] {
  const { waitsFor, hasBody } = nodeDefinition(type) ?? {};
  const isRunning = disabled !== true && (waitsFor === "execution" || hasBody === true);
  return isRunning && typeof config.flowId === "string" && !config.flowId.includes("{{") ? [config.flowId] : [];
}

/** Names of the credentials that a node needs. */
export function credentialsNamed({ node, plan }: PlannedNode): string[] {
  const inConfig = nodeDefinition(node.type)?.credentialNames?.(node.config) ?? [];
  const read = [...plan.code, ...plan.expressions].flatMap(({ expression }) => expression.credentialNames ?? []);
  return [...inConfig, ...read].filter((name) => name !== "" && !name.includes("{{") && !name.includes("\u0000"));
}

/** Names or ids of the tables that a node uses. */
export function tablesNamed({ node }: PlannedNode): string[] {
  const named = nodeDefinition(node.type)?.tableNames?.(node.config) ?? [];
  return named.filter((name) => name !== "" && !name.includes("{{") && isStorableText(name));
}

/** Tables that the workspace does not have. */
export function missingTables(flow: AdvisedFlow, { tables }: References): FlowAdvice[] {
  return flow.planned.flatMap((planned) =>
    [...new Set(tablesNamed(planned))]
      .filter((name) => !tables.has(name))
      .map((name) => {
        const field = planned.node.config.table === name ? "table" : "";
        const message = `uses the table "${name}", which does not exist`;
        return adviceOf(planned, "MISSING_TABLE", "warning", message, { field });
      }),
  );
}

/** Credentials that the workspace does not have. */
export function missingCredentials(flow: AdvisedFlow, { credentials }: References): FlowAdvice[] {
  return flow.planned.flatMap((planned) =>
    [...new Set(credentialsNamed(planned))]
      .filter((name) => !credentials.has(name))
      .map((name) => {
        const field = planned.node.config.credential === name ? "credential" : "";
        const message = `needs the credential "${name}", which does not exist`;
        return adviceOf(planned, "MISSING_CREDENTIAL", "warning", message, { field });
      }),
  );
}

/** Called flows that are inactive or missing. */
export function inactiveSubFlows(flow: AdvisedFlow, { flows, missing }: References): FlowAdvice[] {
  return flow.planned.flatMap((planned) =>
    flowsStarted(planned.node).flatMap((id) => {
      const found = flows.get(id);
      if (found === undefined ? !missing.has(id) : found.status === "active") return [];
      const message =
        found === undefined
          ? "runs a flow that does not exist"
          : `runs "${found.name}", which is ${found.status}: it may not be finished`;
      const severity = found === undefined ? "warning" : "info";
      return [adviceOf(planned, "INACTIVE_SUBFLOW", severity, message, { field: "flowId" })];
    }),
  );
}

/** Flows that run each other in a cycle. `ownId`: the checked flow, if it is stored. */
export function subFlowCycles(flow: AdvisedFlow, { flows }: References, ownId: string | null): FlowAdvice[] {
  return flow.planned.flatMap((planned) =>
    flowsStarted(planned.node).flatMap((id) => {
      if (!callsBack(id, ownId, flows)) return [];
      const message = `leads back to a flow that is already running: the run fails ${depthMax} flows deep`;
      return [adviceOf(planned, "SUBFLOW_CYCLE", "warning", message, { field: "flowId" })];
    }),
  );
}

/** Whether a flow runs itself or the checked flow, directly or through others. */
function callsBack(id: string, ownId: string | null, flows: References["flows"]): boolean {
  if (id === ownId) return true;
  const seen = new Set(flows.get(id)?.runs ?? []);
  for (const next of seen) for (const further of flows.get(next)?.runs ?? []) seen.add(further);
  return seen.has(id) || (ownId !== null && seen.has(ownId));
}
