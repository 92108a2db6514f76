import type { Api } from "#components/api/use-api.ts";
import type { NodeType } from "#lib/contract/node-types.ts";
import type { FlowDraft } from "../draft/flow-draft.ts";
import { mergeDrafts } from "../draft/merge-drafts.ts";
import { Autosave } from "./autosave.ts";
import { CanvasView } from "./canvas-view.ts";
import { Editor, type OpenedFlow } from "./editor.ts";
import { findKeptDraft } from "./kept-draft.ts";
import { ProblemWatch } from "./problem-watch.ts";
import { RunWatch } from "./run-watch.ts";

/** One visit to the editor: the flow, how it is saved, how it is looked at, and the run that is shown with it. */
export interface EditorSession {
  readonly api: Api;
  readonly editor: Editor;
  /** The address of the flow's webhook; null for a flow that never had one. */
  readonly url: string | null;
  readonly autosave: Autosave;
  readonly view: CanvasView;
  readonly runs: RunWatch;
  readonly problems: ProblemWatch;
}

/** Opens a stored flow, with the edits that an earlier visit could not send. */
export function openSession(api: Api, flow: OpenedFlow, types: readonly NodeType[], url: string | null): EditorSession {
  const editor = new Editor(flow, types);
  const kept = findKeptDraft(flow.id);
  if (kept !== null) {
    const rescued = kept.version === flow.version ? kept.draft : rescue(kept.base, kept.draft, flow.draft);
    editor.change("Changes from an earlier visit", () => rescued);
    editor.say("Changes that had not been sent yet were found in this browser, and are sent now.");
  }
  const autosave = new Autosave(editor, api, flow.draft);
  return {
    api,
    editor,
    url,
    autosave,
    view: new CanvasView(),
    runs: new RunWatch(api, flow.id),
    problems: new ProblemWatch(editor, api),
  };
}

/** Edits of an older version, on the one that is stored now. */
function rescue(base: FlowDraft, kept: FlowDraft, stored: FlowDraft): FlowDraft {
  return mergeDrafts(base, kept, stored).draft;
}
