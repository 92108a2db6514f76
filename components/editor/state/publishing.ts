import { traitsIn } from "#components/canvas/flow-graph.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { ApiError } from "#lib/contract/client.ts";
import { type FlowDraft, openDraft } from "#lib/engine/changes/flow-draft.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";
import { withoutLost } from "../commands/remove.ts";
import { readProblems } from "../draft/read-problems.ts";
import type { EditorSession } from "./editor-session.ts";
import { discardCopy, revisionTag, type Stamp, tagOf } from "./server-flow.ts";

/**
 * Performs another action on the stored flow, if it is still in the state shown here: `store` receives the value for
 * `If-Match`, and returns the flow's state afterwards, or null if it has to be fetched.
 */
export async function storing(
  { autosave }: Pick<EditorSession, "autosave">,
  store: (tag: string) => Promise<Stamp | null>,
): Promise<void> {
  const { known } = autosave;
  const stamp = await store(tagOf(known));
  if (stamp !== null && autosave.known === known) autosave.learn({ ...known, ...stamp });
}

const notSaved = "Some changes could not be saved yet.";

/** Publishes the canvas; without a summary, one is generated from the changes. Returns whether it is published. */
export async function publish(session: EditorSession, summary: string | null): Promise<boolean> {
  const { api, editor, autosave } = session;
  if (!(await autosave.flush())) {
    editor.say(notSaved, { tone: "problem" });
    return false;
  }
  const { known } = autosave;
  if (!known.copy) return true;
  const { draft } = editor;
  try {
    const { version } = await api.call("publishFlow", {
      params: { id: editor.flowId },
      body: { summary, ifVersion: known.copy.basedOn },
      headers: { "if-match": revisionTag(known) },
    });
    // The time stays unknown: name and settings may have been changed elsewhere meanwhile.
    autosave.learn({ ...known, version, copy: null });
    await autosave.refresh();
    editor.say(`Version ${version} is published.`);
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isAnswered = error instanceof ApiError && error.status < 500;
    if (!isAnswered && (await isPublishedSince(session, known.version))) return true;
    await explainRefusal(session, error, draft);
    return false;
  }
}

/** Without a response, it may have been published all the same. */
async function isPublishedSince({ editor, autosave }: EditorSession, before: number): Promise<boolean> {
  await autosave.refresh();
  const { version, copy } = editor.store.getState();
  if (copy !== null || version === before) return false;
  editor.say(`Version ${version} is published.`);
  return true;
}

async function explainRefusal(session: EditorSession, error: Error, draft: FlowDraft): Promise<void> {
  const { editor, autosave } = session;
  const details = error instanceof ApiError ? error.details : {};
  if (error instanceof ApiError && error.status === 404) {
    await autosave.refresh();
    editor.say("The changes were published or discarded elsewhere.", { tone: "problem" });
    return;
  }
  if (error instanceof ApiError && error.status === 409) {
    if (typeof details.currentVersion === "number") {
      if (!(await join(session))) return;
    } else await autosave.refresh();
    editor.say("The flow was changed elsewhere in the meantime. Review the changes, then publish again.", {
      tone: "problem",
    });
    return;
  }
  const problems = error instanceof ApiError && error.status === 400 ? readProblems(details, draft) : [];
  if (problems.length === 0) {
    editor.say(`The changes were not published. ${sayFailure(error)}`, { tone: "problem" });
    return;
  }
  session.problems.refuse(problems, draft);
}

/** Merges the changes with a newer version, based on the version that both started from. Returns whether it could try. */
export async function join(session: EditorSession): Promise<boolean> {
  const { editor, autosave } = session;
  try {
    if (await autosave.flush()) await joinPublished(session);
    else editor.say(notSaved, { tone: "problem" });
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    editor.say(`The changes were not merged with the newer version. ${sayFailure(error)}`, { tone: "problem" });
    return false;
  }
}

async function joinPublished(session: EditorSession): Promise<void> {
  const { autosave } = session;
  const now = await autosave.fetch();
  const { known } = autosave;
  if (!known.copy || !now.copy || now.copy.revision !== known.copy.revision) return await autosave.refresh();
  const { basedOn } = known.copy;
  // What is not part of a version stays as the working copy has it.
  const [base, published] = await Promise.all([
    contentOf(session, basedOn, known.draft),
    contentOf(session, now.version, now.draft),
  ]);
  await autosave.meet(base, { ...now, draft: published, copy: { ...now.copy, basedOn: now.version } });
}

/** A version's content; what is not part of a version is taken from `outside`. */
async function contentOf(
  { api, editor, autosave }: EditorSession,
  version: number,
  { name, description, tags, settings }: FlowDraft,
): Promise<FlowDraft> {
  const found = await api.call("readFlowVersion", { params: { id: editor.flowId, version: String(version) } });
  const nodes = flowNodes.parse(found.nodes);
  const edges = flowEdges.parse(found.edges);
  const content = { ...found, name, description, tags, settings, nodes, edges };
  return autosave.asShown(openDraft(content, traitsIn(editor.types)));
}

/** Discards the changes, back to the published version; undo restores them. */
export async function discard(session: EditorSession): Promise<void> {
  const { api, editor, autosave } = session;
  if (!(await autosave.flush())) return editor.say(notSaved, { tone: "problem" });
  const { known } = autosave;
  if (!known.copy) return;
  try {
    const base = await contentOf(session, known.copy.basedOn, known.draft);
    await discardCopy(api, editor.flowId, known);
    const published = await autosave.fetch();
    autosave.learn(published);
    // What someone else published meanwhile goes below the changes: undo must not revert it.
    const { name, settings } = published.draft;
    const { canvas } = known.draft.settings;
    const before = { ...base, name, settings: { ...settings, ...(canvas && { canvas }) } };
    editor.takeIn(before, published.draft, () => "mine");
    const { length: entries } = editor.store.getState().past;
    editor.changeFlow("Discard the changes", () => withoutLost(published.draft));
    // What was changed since is undone first: it builds on what was discarded.
    const undo = { label: "Undo", run: () => editor.undoTo(entries) };
    editor.say("The unpublished changes were discarded.", { action: undo });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof ApiError && [404, 409].includes(error.status)) await autosave.refresh();
    editor.say(`The changes were not discarded. ${sayFailure(error)}`, { tone: "problem" });
  }
}

/** Stores an earlier version of a flow that is not live as its newest; undo goes back to what it replaced. */
export async function restoreVersion(session: EditorSession, version: number): Promise<void> {
  const { api, editor, autosave } = session;
  const { draft } = editor;
  await storing(session, async (tag) => {
    const params = { id: editor.flowId, version: String(version) };
    await api.call("restoreFlowVersion", { params, headers: { "if-match": tag } });
    return null;
  });
  const words = `Version ${version} was restored as a new version.`;
  const restored = await autosave.fetch().catch(() => null);
  // What was changed here meanwhile is merged with it.
  if (restored === null || editor.draft !== draft) return await autosave.refresh(words);
  const { length: entries } = editor.store.getState().past;
  autosave.learn(restored);
  editor.changeFlow(`Restore version ${version}`, () => restored.draft);
  editor.say(words, { action: { label: "Undo", run: () => editor.undoTo(entries) } });
}
