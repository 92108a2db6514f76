import { useMemo } from "react";
import { useStore } from "zustand";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { nodeBefore } from "../draft/nodes-before.ts";
import { useOutputs, useSampleRun } from "../panel/data/use-sample-run.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import type { ShownItem } from "../state/run-watch.ts";
import { levelAt, loopsOn } from "./level.ts";

/** The item of a loop that previews and completions use. */
export interface ItemValue {
  readonly loopId: string;
  /** Counted from 0. */
  readonly index: number;
  /** Undefined if the run has not recorded it. */
  readonly value: unknown;
}

/** Each node's input and output in a run. */
type NodeData = ReadonlyMap<string, { readonly input?: unknown; readonly output?: unknown }>;

/** The shown item of each open loop, outermost first; empty before the first run. */
export function useItemValues(): readonly ItemValue[] {
  const { runs, editor } = useSession();
  const draft = useEditorState((state) => state.draft);
  const within = useEditorState((state) => state.within);
  const run = useSampleRun();
  const item = useStore(runs.store, (state) => state.item);
  // The open loops' lists, including the default input.
  const sources = within.flatMap((id, depth) => [
    id,
    nodeBefore(levelAt(draft, within.slice(0, depth), editor.types), id),
  ]);
  const outputs = useOutputs(run, sources);
  return useMemo(() => {
    if (run === null || item === null || item.runId !== run.id) return [];
    const known = new Map([...outputs, ...item.nodes]);
    return itemValues(draft, within, editor.types, { item, nodes: known, body: run.trigger.data });
  }, [draft, within, editor.types, run, outputs, item]);
}

interface Recorded {
  readonly item: Pick<ShownItem, "turns">;
  readonly nodes: NodeData;
  /** The run's input. */
  readonly body: unknown;
}

/** The shown items of the loops on a path, from the lists in the run or, if literal, in the settings. */
export function itemValues(
  draft: FlowDraft,
  within: readonly string[],
  types: readonly NodeType[],
  { item, nodes, body }: Recorded,
): ItemValue[] {
  const values: ItemValue[] = [];
  loopsOn(draft, within, types).forEach((loop, depth) => {
    const index = item.turns[depth];
    if (index === undefined) return;
    const given = nodes.get(loop.id)?.input;
    const resolved = isJsonObject(given) ? given.items : undefined;
    const before = nodeBefore(levelAt(draft, within.slice(0, depth), types), loop.id);
    const outer = values.at(-1);
    const input = before !== triggerSource ? nodes.get(before)?.output : outer === undefined ? body : outer.value;
    const list = resolved ?? loop.config.items ?? input;
    values.push({ loopId: loop.id, index, value: Array.isArray(list) ? list[index] : undefined });
  });
  return values;
}
