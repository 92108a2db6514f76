import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ExpressionScope, ScopeRoot } from "#components/form/expression-scope.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { nodesReadBy } from "#lib/expressions/expressions.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { nodeBefore, nodesBefore } from "../draft/nodes-before.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { useRunNodes } from "../state/use-run.ts";
import { useSampleRun } from "./use-sample-run.ts";

/** What a node's expressions can use, with the values of the latest run and of pinned outputs. */
export function useExpressionScope(id: string): ExpressionScope {
  const { api, editor } = useSession();
  const draft = useEditorState((state) => state.draft);
  const run = useSampleRun();
  const watched = useRunNodes();
  const credentials = useQuery({
    queryKey: ["credentials", "names"],
    queryFn: ({ signal }) => api.callList("listCredentials", { query: { limit: 100 }, signal }),
  }).data?.items;
  return useMemo(() => {
    const { pins } = canvasOf(draft);
    const outputs = new Map<string, unknown>((run?.nodes ?? []).map((node) => [node.nodeId, node.output]));
    for (const [nodeId, output] of Object.entries(pins)) outputs.set(nodeId, output);
    const made = new Set(Object.keys(pins));
    for (const node of [...(run?.nodes ?? []), ...watched.values()]) {
      if (node.status === "completed") made.add(node.nodeId);
    }
    const before = nodeBefore(draft, id);
    const names = new Map(draft.nodes.map((node) => [node.id, node.name]));
    const ancestors = nodesBefore(draft, id);
    const nodes = Object.fromEntries(ancestors.map((nodeId) => [nodeId, { output: outputs.get(nodeId) }]));
    const trigger = triggerOf(run);
    const roots: ScopeRoot[] = [
      { name: "$trigger", what: "What started the run: body, headers, query, method", value: trigger },
      {
        name: "$node",
        what: "The node before this one",
        value: {
          id: before,
          name: names.get(before) ?? "Trigger",
          output: before === triggerSource ? trigger.body : outputs.get(before),
        },
      },
      { name: "$nodes", what: "Every node that runs before this one, by its id", value: nodes },
      { name: "$vars", what: "The flow's variables", value: draft.variables },
      {
        name: "$credentials",
        what: "Stored credentials, by name",
        value: Object.fromEntries((credentials ?? []).map((item) => [item.name, "•••"])),
      },
      {
        name: "$execution",
        what: "This run: id, startedAt",
        value: { id: run?.id ?? "exec_…", startedAt: run?.startedAt ?? "" },
      },
      { name: "$flow", what: "This flow: id, name", value: { id: editor.flowId, name: draft.name } },
      { name: "$switch", what: "The nearest switch above: value, case", value: undefined },
      { name: "$item", what: "The loop's current item", value: undefined },
      { name: "$index", what: "Its index, from 0", value: undefined },
    ];
    const context = contextOf(draft, run, pins);
    return {
      roots,
      dataId: `${run?.id ?? ""} ${run?.status ?? ""} ${before} ${JSON.stringify(context.vars)}`.trim(),
      nodeNames: names,
      unread: (expression) => {
        if (run === null) return "Run the flow once to see the value here.";
        const lost = ancestors.find((nodeId) => !made.has(nodeId) && reads(expression, nodeId, before));
        return lost === undefined ? null : `“${names.get(lost)}” has no output in the latest run.`;
      },
      unknown: (expression, field) => {
        const read = [...nodesReadBy(expression, field !== "template")];
        const lost = read.find((nodeId) => !ancestors.includes(nodeId));
        if (lost === undefined) return null;
        const name = names.get(lost);
        return name === undefined
          ? `This flow has no node “${lost}” that could be read here.`
          : `“${name}” does not run before this node, so it cannot be read here.`;
      },
      evaluate: async (expression, field, signal) => {
        const body = { expression, field, executionId: run?.id ?? null, context, before };
        const answer = await api.call("evaluateExpression", { body, signal });
        return answer.ok ? answer : { ok: false, ...answer.error };
      },
    };
  }, [api, editor, draft, run, watched, credentials, id]);
}

/** Whether an expression reads a node's output, by its id or as the previous node. */
function reads(expression: string, nodeId: string, before: string): boolean {
  const ways = [`$nodes['${nodeId}']`, `$nodes["${nodeId}"]`, `$nodes.${nodeId}`];
  return ways.some((way) => expression.includes(way)) || (nodeId === before && /\$node\b/.test(expression));
}

function triggerOf(run: ShownExecution | null) {
  return { body: run?.trigger.data ?? {}, headers: {}, query: {}, method: "POST" };
}

/** What the draft adds to the run: its variables and pinned outputs, and sample data if there is no run. */
function contextOf(draft: FlowDraft, run: ShownExecution | null, pins: Readonly<Record<string, unknown>>) {
  const pinned = Object.entries(pins).map(([id, output]) => [id, { output }]);
  return {
    vars: draft.variables,
    ...(run === null ? { trigger: triggerOf(null) } : {}),
    ...(pinned.length === 0 ? {} : { nodes: JSON.parse(JSON.stringify(Object.fromEntries(pinned))) }),
  };
}
