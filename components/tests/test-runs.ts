import { createStore, type StoreApi } from "zustand";
import type { Action } from "#components/editor/actions/action.ts";
import type { Editor } from "#components/editor/state/editor.ts";
import type { EditorSession } from "#components/editor/state/editor-session.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import type { FlowTestResult } from "#lib/contract/flows/flow-tests.ts";

/** A flow's latest test results in this tab. */
interface TestRuns {
  readonly results: ReadonlyMap<string, FlowTestResult>;
  readonly isRunning: boolean;
}

/** The runs in progress. A run of all tests takes the place of earlier ones, whichever is answered first. */
const inProgress = new WeakMap<Editor, Set<AbortController>>();
const stores = new WeakMap<Editor, StoreApi<TestRuns>>();

export function testRunsOf(editor: Editor): StoreApi<TestRuns> {
  const known = stores.get(editor);
  if (known !== undefined) return known;
  const made = createStore<TestRuns>(() => ({ results: new Map(), isRunning: false }));
  stores.set(editor, made);
  return made;
}

/** How these tests ended; undefined if none has run in this tab. */
export function resultsInWords(
  tests: readonly { readonly id: string }[],
  results: TestRuns["results"],
): string | undefined {
  const known = tests.flatMap(({ id }) => results.get(id) ?? []);
  const failed = known.filter(({ status }) => status === "failed").length;
  if (known.length === 0) return undefined;
  if (failed > 0) return `${failed} failed`;
  return known.length === tests.length ? "All passed" : `${known.length} of ${tests.length} passed`;
}

/** The flow as it is on the canvas, saved or not. */
export function shownDefinition({ draft: { nodes, edges, variables } }: Editor) {
  return { nodes: [...nodes], edges: [...edges], variables };
}

/** What to test: the version that the canvas shows, whose results the server keeps, or the unpublished changes. */
function subjectOf({ editor, autosave }: EditorSession) {
  const { version, copy } = autosave.known;
  return autosave.isUnsaved || copy ? { definition: shownDefinition(editor) } : { version };
}

/** Runs all tests of the flow, or these, against the canvas. */
export async function runTests(session: EditorSession, testIds?: readonly string[]): Promise<void> {
  const { api, editor } = session;
  const store = testRunsOf(editor);
  const asking = new AbortController();
  const all = inProgress.get(editor) ?? new Set();
  inProgress.set(editor, all);
  if (testIds === undefined) {
    for (const earlier of all) earlier.abort();
    all.clear();
  }
  all.add(asking);
  store.setState({ isRunning: true });
  try {
    const body = { ...subjectOf(session), ...(testIds === undefined ? {} : { testIds: [...testIds] }) };
    const { results } = await api.call("runFlowTests", { params: { id: editor.flowId }, body });
    if (asking.signal.aborted) return;
    const others = testIds === undefined ? [] : store.getState().results;
    store.setState({ results: new Map([...others, ...results.map((result) => [result.testId, result] as const)]) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (asking.signal.aborted) return;
    // Earlier results are of another state of the flow.
    if (testIds === undefined) store.setState({ results: new Map() });
    editor.say(`The tests were not run. ${sayFailure(error)}`, { tone: "problem" });
  } finally {
    all.delete(asking);
    if (all.size === 0) store.setState({ isRunning: false });
  }
}

export const testActions: readonly Action[] = [
  { id: "tests", label: "Flow tests", group: "Flow", run: ({ editor }) => editor.show("tests") },
  {
    id: "backtest",
    label: "What would have changed?",
    group: "Flow",
    run: ({ editor }) => editor.store.setState({ isBacktesting: true }),
  },
  {
    id: "run-tests",
    label: "Run all tests",
    group: "Flow",
    shortcuts: ["mod+shift+T"],
    run: async (session) => {
      session.editor.show("tests");
      await runTests(session);
    },
  },
];
