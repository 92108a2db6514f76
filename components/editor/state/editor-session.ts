import type { Api } from "#components/api/use-api.ts";
import { placeProblem } from "#components/editor/draft/read-problems.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { allPlaced } from "../levels/level.ts";
import { Autosave } from "./autosave.ts";
import { CanvasView } from "./canvas-view.ts";
import { Editor, type OpenedFlow } from "./editor.ts";
import type { FoundProblem } from "./editor-state.ts";
import { draftKey, findOwnDraft } from "./kept-draft.ts";
import { RunWatch } from "./run-watch.ts";
import type { ServerFlow } from "./server-flow.ts";

const quietMs = 500;

/** Asks the server, a moment after each change, what would keep the flow from running: only the server knows all rules. */
class ProblemWatch {
  readonly #editor: Editor;
  readonly #api: Api;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | null = null;
  #unsubscribe: () => void = () => {};

  constructor(editor: Editor, api: Api) {
    this.#editor = editor;
    this.#api = api;
  }

  start(): void {
    this.stop();
    this.#unsubscribe = this.#editor.store.subscribe(({ draft }, before) => {
      const isSame = draft.nodes === before.draft.nodes && draft.edges === before.draft.edges;
      if (!isSame || draft.trigger !== before.draft.trigger) this.#later();
    });
    void this.#ask();
  }

  stop(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  /**
   * Shows why the server refused to make `draft` live. It replaces a check that is on its way, which knows less: a check
   * runs no tests.
   */
  refuse(problems: readonly FoundProblem[], draft: FlowDraft): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#editor.store.setState({ problems });
    this.#editor.show("problems");
    if (this.#editor.draft !== draft) this.#later();
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), quietMs);
  }

  async #ask(): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const { trigger, nodes, edges } = this.#editor.draft;
    const body = { trigger, nodes: [...nodes], edges: [...edges], flowId: this.#editor.flowId };
    // On failure, the previous result stays.
    const answer = await this.#api.call("checkFlow", { body, signal: asking.signal }).catch(() => null);
    if (answer === null || asking.signal.aborted) return;
    const problems = answer.problems.map(({ path, message, nodeId }) =>
      placeProblem({ path, message, ...(nodeId !== undefined && { nodeId }) }, body),
    );
    const advice = answer.advice.map((problem): FoundProblem => placeProblem(problem, body));
    const { types, store } = this.#editor;
    store.setState(({ newNodes }) => ({
      problems: [...problems, ...advice],
      checked: { trigger, nodes, edges },
      checkedAsNew: new Set(
        (newNodes.size === 0 ? [] : allPlaced(nodes, types)).flatMap(({ node: { id, config } }) =>
          newNodes.get(id) === config ? id : [],
        ),
      ),
    }));
  }
}

/** One visit to the editor: the flow, its saving, its view, and the displayed run. */
export interface EditorSession {
  readonly api: Api;
  readonly editor: Editor;
  readonly autosave: Autosave;
  readonly view: CanvasView;
  readonly runs: RunWatch;
  readonly problems: ProblemWatch;
}

/** How each flow was saved when it was last left: offline, that goes on, which alone keeps it and its history in memory. */
const left = new Map<string, WeakRef<Autosave>>();

/** Ends a visit. */
export function closeSession({ editor, autosave, problems, runs }: EditorSession): void {
  autosave.stop();
  left.set(editor.flowId, new WeakRef(autosave));
  problems.stop();
  runs.stop();
}

interface Opening {
  /** As shown: with positions for nodes without stored ones. */
  readonly flow: OpenedFlow;
  /** Exactly as stored. */
  readonly stored: FlowDraft;
  readonly types: readonly NodeType[];
}

/**
 * Opens a stored flow with the edits that this page could not save before a reload. They are based on the flow as it was
 * then: changes made elsewhere since are found when they are saved, and merged or resolved as usual.
 */
export function openSession(api: Api, { flow, stored, types }: Opening): EditorSession {
  // The edits that it could not send are found below: sent twice, they would come back after they are discarded here.
  left.get(flow.id)?.deref()?.stop(true);
  const keptAt = draftKey(flow.id);
  const found = findOwnDraft(keptAt);
  const server: ServerFlow = found === null ? flow : { ...found.kept, draft: found.kept.base };
  const editor = new Editor({ ...flow, ...server }, types);
  if (found !== null) {
    editor.changeFlow("Changes from before the reload", () => found.kept.draft);
    const discard = { label: "Discard", run: () => editor.undoTo(0) };
    editor.say("Unsaved changes from before the reload were saved.", { action: discard });
  }
  const autosave = new Autosave(editor, api, { server, stored, shown: flow.draft, keptAt });
  return {
    api,
    editor,
    autosave,
    view: new CanvasView(),
    runs: new RunWatch(api, flow.id),
    problems: new ProblemWatch(editor, api),
  };
}
