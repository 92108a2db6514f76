import type { FlowEdge, FlowNode } from "./flow.ts";
import { triggerSource } from "./flow.ts";
import { errorHandle } from "./outcome.ts";

/** Why a flow cannot be stored or run; `path` leads to the field, as in `edges[3].target`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly nodeId?: string;
}

/** What the engine needs to know of node types: the handles a node can leave by besides the plain one. */
export interface NodeTypes {
  known(): readonly string[];
  /** Undefined for an unknown type. Empty when the node has only its plain handle. */
  handles(type: string, config: unknown): readonly string[] | undefined;
}

/** An empty handle and a missing one are the same. */
export function handleOf(edge: FlowEdge): string | null {
  return edge.sourceHandle === undefined || edge.sourceHandle === "" ? null : edge.sourceHandle;
}

/** Every reason why this is not a graph that can run, at once (contract, section 5: "checked on every write"). */
export function findGraphProblems(nodes: readonly FlowNode[], edges: readonly FlowEdge[], types: NodeTypes): Problem[] {
  const byId = new Map<string, FlowNode>();
  const problems: Problem[] = [];
  nodes.forEach((node, index) => {
    if (node.id === triggerSource) {
      problems.push({ path: `nodes[${index}].id`, message: `"${triggerSource}" is reserved for the trigger itself` });
    } else if (byId.has(node.id)) {
      problems.push({ path: `nodes[${index}].id`, message: `id "${node.id}" is used by another node` });
    } else byId.set(node.id, node);
    if (types.handles(node.type, node.config) === undefined) {
      const known = types.known().join(", ");
      problems.push({ path: `nodes[${index}].type`, message: `unknown node type "${node.type}"; known are ${known}` });
    }
  });
  edges.forEach((edge, index) => {
    problems.push(...edgeProblems(edge, index, byId, types));
  });
  if (problems.length === 0) problems.push(...findCycle(nodes, edges));
  return problems;
}

function edgeProblems(edge: FlowEdge, index: number, nodes: Map<string, FlowNode>, types: NodeTypes): Problem[] {
  const at = (field: string, message: string): Problem => ({ path: `edges[${index}].${field}`, message });
  const problems: Problem[] = [];
  const source = nodes.get(edge.source);
  if (source === undefined && edge.source !== triggerSource) {
    problems.push(at("source", `there is no node "${edge.source}"`));
  }
  if (!nodes.has(edge.target)) problems.push(at("target", `there is no node "${edge.target}"`));
  else if (edge.source === edge.target) problems.push(at("target", `node "${edge.target}" leads to itself`));
  const handle = handleOf(edge);
  if (source === undefined || handle === null) return problems;
  const handles = types.handles(source.type, source.config) ?? [];
  if (handle !== errorHandle && !handles.includes(handle)) {
    const known = [...handles, errorHandle].join(", ");
    problems.push(
      at("sourceHandle", `node "${source.id}" (${source.type}) has no handle "${handle}"; it has ${known}`),
    );
  }
  return problems;
}

/** The first circle found, named by its nodes; the path is that of the edge that closes it. */
function findCycle(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): Problem[] {
  const outgoing = new Map<string, { target: string; index: number }[]>(nodes.map((node) => [node.id, []]));
  edges.forEach((edge, index) => {
    outgoing.get(edge.source)?.push({ target: edge.target, index });
  });
  const done = new Set<string>();
  for (const start of nodes) {
    const path: { id: string; next: number }[] = [{ id: start.id, next: 0 }];
    const onPath = new Set([start.id]);
    while (path.length > 0 && !done.has(start.id)) {
      const top = path[path.length - 1] as { id: string; next: number };
      const edge = outgoing.get(top.id)?.[top.next];
      top.next += 1;
      if (edge === undefined) {
        done.add(top.id);
        onPath.delete(top.id);
        path.pop();
      } else if (onPath.has(edge.target)) {
        const ids = path.map((step) => step.id);
        const circle = [...ids.slice(ids.indexOf(edge.target)), edge.target].join(" → ");
        return [{ path: `edges[${edge.index}]`, message: `the edges form a cycle: ${circle}` }];
      } else if (!done.has(edge.target)) {
        path.push({ id: edge.target, next: 0 });
        onPath.add(edge.target);
      }
    }
  }
  return [];
}
