import type { FlowEdge, FlowNode } from "./flow.ts";
import { flowLimits, triggerSource } from "./flow.ts";
import { type FlowBody, flowBody, nodesWithin } from "./flow-body.ts";
import { formatPath } from "./json.ts";
import type { NodeTypes } from "./node-types.ts";
import { errorHandle } from "./outcome.ts";

/** Why a flow cannot be stored or run. `path` names the field: `edges[3].target`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly nodeId?: string;
}

/** An empty handle equals a missing one. */
export function handleOf(edge: FlowEdge): string | null {
  return edge.sourceHandle === undefined || edge.sourceHandle === "" ? null : edge.sourceHandle;
}

/** Handles listed in a message: a draft's switch may have any number. */
const handlesNamedMax = 20;
/** Characters of a type or handle quoted in a message: every edge may quote them again. */
const quotedCharactersMax = 60;

interface KnownNode {
  readonly node: FlowNode;
  readonly handles: ReadonlySet<string>;
  /** The handles as a message lists them. */
  readonly named: string;
}

/**
 * Every reason why this graph cannot run; checked on every write (docs/api.md, "What a flow may contain"). Loop bodies are
 * graphs too: ids are unique in the whole flow, so that `$nodes`, logs and errors each name one node.
 */
export function findGraphProblems(nodes: readonly FlowNode[], edges: readonly FlowEdge[], types: NodeTypes): Problem[] {
  const count = nodesWithin(nodes, types.traits).length;
  if (count <= flowLimits.nodesMax) return graphProblems({ nodes, edges }, types, "", new Set());
  const message = `a flow has at most ${flowLimits.nodesMax} nodes, those in loops included: it has ${count}`;
  return [{ path: "nodes", message }];
}

/** `prefix`: the graph's path in the flow. `taken`: the ids used by the flow's other graphs. */
function graphProblems({ nodes, edges }: FlowBody, types: NodeTypes, prefix: string, taken: Set<string>): Problem[] {
  const byId = new Map<string, KnownNode>();
  const problems: Problem[] = [];
  nodes.forEach((node, index) => {
    const handles = types.handles(node.type, node.config);
    const at = `${prefix}nodes[${index}]`;
    if (node.id === triggerSource) {
      problems.push({ path: `${at}.id`, message: `"${triggerSource}" is reserved for the trigger itself` });
    } else if (taken.has(node.id)) {
      problems.push({ path: `${at}.id`, message: `id "${node.id}" is used by another node` });
    } else byId.set(node.id, { node, handles: new Set(handles), named: nameHandles(handles ?? []) });
    taken.add(node.id);
    if (handles === undefined) {
      const known = types.known().join(", ");
      problems.push({ path: `${at}.type`, message: `unknown node type "${quoted(node.type)}"; known are ${known}` });
    }
  });
  edges.forEach((edge, index) => {
    problems.push(...edgeProblems(edge, `${prefix}edges[${index}]`, byId));
  });
  if (problems.length === 0) problems.push(...findCycle(nodes, edges, prefix));
  nodes.forEach((node, index) => {
    problems.push(...bodyProblems(node, types, `${prefix}nodes[${index}].config.body`, taken));
  });
  return problems;
}

function bodyProblems({ type, config }: FlowNode, types: NodeTypes, path: string, taken: Set<string>): Problem[] {
  if (types.traits(type)?.hasBody !== true || config.body === undefined || config.body === null) return [];
  const body = flowBody.safeParse(config.body);
  if (body.success) return graphProblems(body.data, types, `${path}.`, taken);
  return body.error.issues.map((issue) => {
    const field = formatPath(issue.path);
    return {
      path: field === "" || field.startsWith("[") ? `${path}${field}` : `${path}.${field}`,
      message: issue.message,
    };
  });
}

function edgeProblems(edge: FlowEdge, path: string, nodes: ReadonlyMap<string, KnownNode>): Problem[] {
  const at = (field: string, message: string): Problem => ({ path: `${path}.${field}`, message });
  const problems: Problem[] = [];
  const source = nodes.get(edge.source);
  if (source === undefined && edge.source !== triggerSource) {
    problems.push(at("source", `there is no node "${edge.source}"`));
  }
  if (!nodes.has(edge.target)) problems.push(at("target", `there is no node "${edge.target}"`));
  else if (edge.source === edge.target) problems.push(at("target", `node "${edge.target}" leads to itself`));
  const handle = handleOf(edge);
  if (source === undefined || handle === null || handle === errorHandle || source.handles.has(handle)) return problems;
  const { id, type } = source.node;
  problems.push(at("sourceHandle", `node "${id}" (${quoted(type)}) has no handle "${handle}"; it has ${source.named}`));
  return problems;
}

function nameHandles(handles: readonly string[]): string {
  const named = handles.slice(0, handlesNamedMax).map(quoted);
  const rest = handles.length > named.length ? [`${handles.length - named.length} more`] : [];
  return [...named, ...rest, errorHandle].join(", ");
}

function quoted(text: string): string {
  return text.length <= quotedCharactersMax ? text : `${text.slice(0, quotedCharactersMax)}…`;
}

/** The first cycle found, with its nodes; the path names the edge that closes it. */
function findCycle(nodes: readonly FlowNode[], edges: readonly FlowEdge[], prefix: string): Problem[] {
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
        const cycle = [...ids.slice(ids.indexOf(edge.target)), edge.target].join(" → ");
        return [{ path: `${prefix}edges[${edge.index}]`, message: `the edges form a cycle: ${cycle}` }];
      } else if (!done.has(edge.target)) {
        path.push({ id: edge.target, next: 0 });
        onPath.add(edge.target);
      }
    }
  }
  return [];
}
