import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { credentialNames } from "#components/credentials/credential-names.ts";
import { useDeclaredOutputs } from "#components/editor/services/operation-schema.ts";
import type { Evaluable, Evaluated, ExpressionScope } from "#components/form/expression-scope.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import type { EvaluationError } from "#lib/contract/flows/checks.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { planConfig } from "#lib/expressions/expressions.ts";
import { canvasOf } from "../../draft/canvas-settings.ts";
import { readableFrom } from "../../draft/nodes-before.ts";
import { allPlaced } from "../../levels/level.ts";
import { useItemValues } from "../../levels/use-item-values.ts";
import { useEditorState, useSession } from "../../state/editor-context.ts";
import { useRunNodes } from "../../state/use-run.ts";
import { knownOutputs, scopeRoots, triggerOf } from "./scope-roots.ts";
import { outputQuery, useOutputs, useSampleRun } from "./use-sample-run.ts";

/** What a node's expressions can use, with values of the latest run, its shown item, and pinned outputs. */
export function useExpressionScope(id: string): ExpressionScope {
  const { api, editor, runs } = useSession();
  const { types } = editor;
  const draft = useEditorState((state) => state.draft);
  const within = useEditorState((state) => state.within);
  const run = useSampleRun();
  const watched = useRunNodes();
  const item = useStore(runs.store, (state) => (state.item?.runId === run?.id ? state.item : null));
  const values = useItemValues();
  const client = useQueryClient();
  const [requested, setRequested] = useState<ReadonlySet<string>>(new Set());
  const nearest = useMemo(() => readableFrom(draft, within, id, types).before, [draft, within, id, types]);
  const read = useOutputs(run, [nearest, ...requested]);
  const declared = useDeclaredOutputs(draft.nodes, types);
  const credentials = useQuery(credentialNames(api)).data;
  return useMemo(() => {
    const { pins } = canvasOf(draft);
    const inItem = [...(item?.nodes.values() ?? [])];
    const { outputs, made, failed } = knownOutputs({
      loaded: [...read.values(), ...inItem],
      recorded: [...(run?.nodes ?? []), ...inItem, ...watched.values()],
      pins,
    });
    const { before, ancestors, inBodies } = readableFrom(draft, within, id, types);
    const shown = values.at(-1);
    if (shown !== undefined && before === shown.loopId) outputs.set(before, shown.value);
    const names = new Map(allPlaced(draft.nodes, types).map(({ node }) => [node.id, node.name]));
    // Nodes that have not run are completed from their declared outputs.
    const outputOf = (nodeId: string) =>
      outputs.has(nodeId) || made.has(nodeId) ? outputs.get(nodeId) : declared[nodeId];
    const runNodes = new Map(run?.nodes.toReversed().map((node) => [node.nodeId, node]));
    const readable = new Set(ancestors);
    const roots = scopeRoots({
      ...{ flowId: editor.flowId, draft, run, before, ancestors, names, outputOf },
      credentials: credentials ?? [],
      item: shown,
    });
    const context = contextOf(draft, run, pins);
    const turn = item?.iteration ?? "";
    return {
      roots,
      dataId:
        `${run?.id ?? ""} ${run?.status ?? ""} ${before} ${turn} ${item?.nodes.size ?? ""} ${JSON.stringify(context.vars)}`.trim(),
      nodeNames: names,
      failed,
      unreadOutput: (nodeId) => {
        const node = runNodes.get(nodeId);
        const isUnread = node?.status === "completed" && !outputs.has(nodeId) && readable.has(nodeId);
        if (run === null || node === undefined || !isUnread) return null;
        return async () => {
          const found = await client.fetchQuery(outputQuery(api, run.id, node));
          setRequested((before) => new Set(before).add(nodeId));
          return found.output;
        };
      },
      unread: (given) => {
        if (run === null) return readsRun(given, pins) ? runOnce : null;
        if (within.length > 0 && shown === undefined && /\$item\b|\$index\b/.test(given.text)) return noItem;
        const read = [...given.nodeIds, ...(/\$node\b/.test(given.text) ? [before] : [])];
        const lost = read.find((nodeId) => readable.has(nodeId) && !made.has(nodeId));
        return lost === undefined ? null : `“${names.get(lost)}” has no output in the latest run.`;
      },
      unknown: ({ nodeIds }) => {
        const lost = [...nodeIds].find((nodeId) => !readable.has(nodeId));
        return lost === undefined ? null : whyUnreadable(lost, names.get(lost));
      },
      evaluate: async (given, signal) => {
        const { text: expression, field, type = null, nodeIds } = given;
        // Outputs in bodies cannot be found by node id alone: those that are read are sent along.
        const sentAlong = inBodies.filter((nodeId) => nodeIds.has(nodeId) || nodeId === before);
        const recorded = sentAlong.map((nodeId) => [nodeId, { output: outputs.get(nodeId) ?? null }] as const);
        const here = {
          ...context,
          ...(recorded.length > 0 && { nodes: { ...Object.fromEntries(recorded), ...context.nodes } }),
          ...(shown?.value !== undefined && { item: shown.value, index: shown.index }),
        };
        const sent = JSON.parse(JSON.stringify(here));
        const body = { expression, field, type, executionId: run?.id ?? null, context: sent, before };
        const answer = await api.call("evaluateExpression", { body, signal });
        // Without a run, everything that it reads of one is empty, which is no mistake.
        const isMistaken = !answer.ok && (answer.error.undefinedName !== undefined || !isReadable(given));
        if (run === null && !isMistaken && readsRun(given, pins))
          return { ok: false, message: runOnce, position: null, isWaiting: true };
        return answer.ok ? answer : failureOf(answer.error);
      },
    };
  }, [api, client, editor, types, draft, within, run, read, item, values, watched, credentials, declared, id]);
}

function whyUnreadable(nodeId: string, name: string | undefined): string {
  return name === undefined
    ? `This flow has no node “${nodeId}” that could be read here.`
    : `“${name}” does not run before this node, so it cannot be read here.`;
}

const runOnce = "Run once to see a value.";
/** Whether an expression reads something that only a run has: pinned outputs replace their nodes. */
function readsRun({ text, nodeIds }: Evaluable, pins: Readonly<Record<string, unknown>>): boolean {
  if (/\$(?:trigger|node|item|index|execution|switch|resume)\b/.test(text)) return true;
  return /\$nodes\b/.test(text) && (nodeIds.size === 0 || [...nodeIds].some((id) => !Object.hasOwn(pins, id)));
}

const noItem = "This loop started no item in the latest run.";

/** Whether all expressions of a text can be parsed. */
function isReadable({ text, field }: Evaluable): boolean {
  const config = { expression: field === "json" ? JSON.parse(text) : text };
  return planConfig(config, () => (field === "json" ? "template" : field)).problems.length === 0;
}

/** Why an expression has no value: which one, if there are several, and what can be done about it. */
function failureOf({ message, position, path, undefinedName }: EvaluationError): Evaluated {
  const reason = path === undefined ? message : `${path}: ${message}`;
  if (undefinedName?.startsWith("$"))
    return { ok: false, position, message: `${reason}. Type $ to see what you can use here.` };
  return { ok: false, position, message: reason, isWaiting: message.endsWith("has a value in a run only") };
}

/** What the draft adds to the run: its variables, pinned outputs, and sample data if there is no run. */
function contextOf(draft: FlowDraft, run: ShownExecution | null, pins: Readonly<Record<string, unknown>>) {
  const pinned = Object.entries(pins).map(([id, output]) => [id, { output }]);
  return {
    vars: draft.variables,
    ...(run === null ? { trigger: triggerOf(null) } : {}),
    ...(pinned.length === 0 ? {} : { nodes: JSON.parse(JSON.stringify(Object.fromEntries(pinned))) }),
  };
}
