import type { Api } from "#components/api/use-api.ts";
import type { NodeType } from "#lib/contract/node-types.ts";
import type { FlowDraft } from "../draft/flow-draft.ts";
import { Autosave } from "./autosave.ts";
import { CanvasView } from "./canvas-view.ts";
import { Editor, type OpenedFlow } from "./editor.ts";
import { findOwnDraft } from "./kept-draft.ts";
import { ProblemWatch } from "./problem-watch.ts";
import { RunWatch } from "./run-watch.ts";
import type { ServerFlow } from "./server-flow.ts";

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

interface Opening {
  /** As it is shown: nodes that nobody has placed have places. */
  readonly flow: OpenedFlow;
  /** Exactly as it is stored. */
  readonly stored: FlowDraft;
  readonly types: readonly NodeType[];
  /** The address of its webhook. */
  readonly url: string | null;
}

/**
 * Opens a stored flow, with the edits that this page could not send before it was reloaded. These begin from the flow as that visit knew
 * it: what was changed elsewhere since is found when they are sent, and joined or asked about as ever.
 */
export function openSession(api: Api, { flow, stored, types, url }: Opening): EditorSession {
  const found = findOwnDraft(flow.id);
  const server: ServerFlow = found === null ? flow : { ...found.kept, draft: found.kept.base };
  const editor = new Editor({ ...flow, ...server }, types);
  if (found !== null) {
    editor.change("Changes from before the reload", () => found.kept.draft);
    const discard = { label: "Discard", run: () => editor.undo() };
    editor.say("Changes that had not been saved before this page was reloaded are saved now.", { action: discard });
  }
  const autosave = new Autosave(editor, api, { server, stored, shown: flow.draft, keptAt: found?.key ?? null });
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
