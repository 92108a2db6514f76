import { explainFailure } from "#components/page/explain-failure.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { EditorSession } from "../state/editor-session.ts";

/** Saves what is on the canvas, runs it and shows the run. */
export async function runFlow({ api, editor, autosave, runs }: EditorSession, data: JsonObject): Promise<void> {
  if (!(await autosave.flush())) {
    editor.say("The flow has changes that could not be saved yet: a run would not have them.", { tone: "problem" });
    return;
  }
  try {
    const { executionId } = await api.call("executeFlow", { params: { id: editor.flowId }, body: { data } });
    runs.watch(executionId);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { why, todo } = explainFailure(error);
    editor.say(`The run could not be started. ${why} ${todo}`, { tone: "problem" });
  }
}
