import { explainFailure } from "#components/page/failure-notice.tsx";
import { ApiError } from "#lib/contract/client.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import type { EditorSession } from "../state/editor-session.ts";

/**
 * Saves the canvas, runs it and shows the run. Runs of a draft and a working copy use its pinned outputs. Returns whether
 * the run has started.
 */
export async function runFlow(
  session: EditorSession,
  data: JsonObject,
  untilNode: string | null = null,
): Promise<boolean> {
  let isStarted = false;
  await onSaved(session, "run", async () => {
    isStarted = await runSaved(session, data, untilNode);
  });
  return isStarted;
}

/** Starts something with the flow as stored: once, however often its button is pressed meanwhile. */
async function onSaved({ editor, autosave }: EditorSession, what: "run" | "retry", begin: () => Promise<void>) {
  if (editor.store.getState().isStarting) return;
  editor.store.setState({ isStarting: true });
  try {
    if (await autosave.flush()) await begin();
    else editor.say(`Some changes could not be saved yet, so a ${what} would not include them.`, { tone: "problem" });
  } finally {
    editor.store.setState({ isStarting: false });
  }
}

async function runSaved(session: EditorSession, data: JsonObject, untilNode: string | null): Promise<boolean> {
  const { api, editor, runs } = session;
  // The pin of a node that was discarded, or removed elsewhere, may still be there.
  const there = new Set(editor.draft.nodes.map((node) => node.id));
  const pinned = Object.entries(canvasOf(editor.draft).pins).filter(([id]) => there.has(id));
  const pins: JsonObject = JSON.parse(JSON.stringify(Object.fromEntries(pinned)));
  const { status, copy } = editor.store.getState();
  const isPinned = (status === "draft" || copy !== null) && Object.keys(pins).length > 0;
  const version = copy === null ? {} : { version: "draft" as const };
  const body = { data, ...version, ...(untilNode !== null && { untilNode }), ...(isPinned && { pins }) };
  const isStarted = await start(session, () => api.call("executeFlow", { params: { id: editor.flowId }, body }));
  if (untilNode !== null) runs.showNode(untilNode);
  return isStarted;
}

/** Runs one node again, with earlier nodes' outputs from the displayed run, else from the latest. */
export async function runNode(session: EditorSession, nodeId: string): Promise<void> {
  const { api, editor, runs } = session;
  await onSaved(session, "run", async () => {
    await start(session, async () => {
      const id = runs.store.getState().run?.id ?? (await runs.latestId());
      if (id === null) return null;
      const version = editor.store.getState().copy === null ? "published" : "draft";
      const body = { version, fromNode: nodeId, untilNode: nodeId } as const;
      return await api.call("retryExecution", { params: { id }, body });
    });
    runs.showNode(nodeId);
  });
}

/** Shows the next run that a call of the trigger URL starts. */
export async function listenForCall({ editor, runs }: EditorSession): Promise<void> {
  try {
    await runs.listen();
  } catch (error) {
    const { why, todo } = explainFailure(error);
    editor.say(`Listening for a call could not begin. ${why} ${todo}`, { tone: "problem" });
  }
}

/** Retries a failed run with the current flow, from the failed node. */
export async function retryFixed(
  session: EditorSession,
  { id, error }: Pick<ShownExecution, "id" | "error">,
): Promise<void> {
  const { api, editor } = session;
  await onSaved(session, "retry", async () => {
    const version = editor.store.getState().copy === null ? "published" : "draft";
    const fromNode = editor.draft.nodes.some((node) => node.id === error?.nodeId) ? error?.nodeId : null;
    const body = { version, ...(fromNode != null && { fromNode }) } as const;
    await start(session, () => api.call("retryExecution", { params: { id }, body }));
  });
}

/** Runs the flow with a run's input. A call may have sent a list or a text, which only a retry can repeat. */
export async function runAgain(session: EditorSession, { id, trigger }: ShownExecution): Promise<void> {
  if (isJsonObject(trigger.data)) await runFlow(session, trigger.data);
  else await retryFixed(session, { id });
}

/** Cancels a run; one that has ended by now is shown as it ended. */
export async function cancelRun({ api, editor }: EditorSession, id: string): Promise<void> {
  try {
    await api.call("cancelExecution", { params: { id }, body: {} });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { why, todo } = explainFailure(error);
    editor.say(`The run could not be cancelled. ${why} ${todo}`, { tone: "problem" });
  }
}

/** `begin` returns null if there is no run yet to take a node's input from. Returns whether a run has started. */
async function start(
  { editor, autosave, runs }: EditorSession,
  begin: () => Promise<{ readonly executionId: string } | null>,
): Promise<boolean> {
  try {
    const begun = await begin();
    if (begun !== null) runs.watch(begun.executionId);
    else editor.say("Run the flow once first, so that this node has an input.", { tone: "problem" });
    return begun !== null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The working copy was published or discarded elsewhere: the next attempt runs the current version.
    if (error instanceof ApiError && error.status === 400 && "version" in error.details) await autosave.refresh();
    const { why, todo } = explainFailure(error);
    editor.say(`The run could not be started. ${why} ${todo}`, { tone: "problem" });
    return false;
  }
}
