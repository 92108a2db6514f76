import { sayFailure } from "#components/page/failure-notice.tsx";
import { ApiError } from "#lib/contract/client.ts";
import type { FlowStatus } from "#lib/engine/flow.ts";
import { readProblems } from "../draft/read-problems.ts";
import type { EditorSession } from "../state/editor-session.ts";
import { storing } from "../state/publishing.ts";

const done: Record<FlowStatus, string> = {
  active: "The flow is live: calls and schedules start it.",
  inactive: "The flow is off: calls are refused, and schedules do not start it.",
  draft: "The flow is a draft.",
};

/** Makes the flow a draft, active or inactive. Problems that block activation are listed node by node. */
export async function setStatus(session: EditorSession, status: FlowStatus): Promise<void> {
  const { api, editor, autosave } = session;
  if (status === "active") editor.showMissing();
  const before = editor.store.getState().status;
  if (!(await autosave.flush())) {
    editor.say("Some changes could not be saved yet.", { tone: "problem" });
    return;
  }
  const { draft } = editor;
  try {
    // Only what is on screen: nobody activates someone else's unseen change.
    await storing(session, async (tag) => {
      const headers = { "if-match": tag };
      const sent = { params: { id: editor.flowId }, body: { status }, headers };
      const { payload, version } = await api.callVersioned("updateFlow", sent);
      return version === null ? null : { version, updatedAt: payload.updatedAt };
    });
    editor.store.setState({ status });
    const { copy, version } = editor.store.getState();
    const isBehind = status === "active" && copy !== null;
    editor.say(isBehind ? `Version ${version} is live. What you see has unpublished changes.` : done[status], {
      action: { label: "Undo", run: () => void setStatus(session, before) },
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof ApiError && error.status === 409) {
      await autosave.refresh();
      editor.say("The flow was changed elsewhere in the meantime. Review it, then try again.", {
        tone: "problem",
      });
      return;
    }
    const problems = error instanceof ApiError && error.status === 400 ? readProblems(error.details, draft) : [];
    if (problems.length === 0) {
      editor.say(`The status was not changed. ${sayFailure(error)}`, { tone: "problem" });
      return;
    }
    session.problems.refuse(problems, draft);
  }
}
