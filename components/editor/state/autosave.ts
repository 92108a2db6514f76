import type { Api } from "#components/api/use-api.ts";
import { ApiError } from "#lib/contract/client.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";
import { draftChanges, isUnchanged } from "../draft/draft-changes.ts";
import type { FlowDraft } from "../draft/flow-draft.ts";
import { mergeDrafts, type Side } from "../draft/merge-drafts.ts";
import { openDraft } from "../draft/open-draft.ts";
import type { Editor } from "./editor.ts";
import { forgetDraft, keepDraft } from "./kept-draft.ts";
import type { SaveState } from "./save-state.ts";

/** Milliseconds: after the last change, at most after the first one, and before something that failed is tried again. */
const pause = { quiet: 700, most: 4_000, offline: 3_000 } as const;

/**
 * Sends what was edited to the server, a moment after each change. The version that was read goes along, so that
 * nobody's changes are overwritten: what was changed elsewhere is fetched and both are joined; where they clash, the
 * user chooses. Until it is stored, everything is kept in the browser too.
 */
export class Autosave {
  readonly #editor: Editor;
  readonly #api: Api;
  /** What the server has, as far as this page knows. */
  #stored: FlowDraft;
  #theirs: { readonly draft: FlowDraft; readonly version: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | null = null;
  #sending: Promise<void> | null = null;
  #unsubscribe: () => void = () => {};

  constructor(editor: Editor, api: Api, stored: FlowDraft) {
    this.#editor = editor;
    this.#api = api;
    this.#stored = stored;
  }

  /** From now on what changes is saved. May be called again after `stop`. */
  start(): void {
    this.#unsubscribe();
    this.#unsubscribe = this.#editor.store.subscribe((state, before) => {
      if (state.draft !== before.draft) this.#changed();
    });
    if (this.isUnsaved) this.#changed();
  }

  get isUnsaved(): boolean {
    return !isUnchanged(this.#stored, this.#editor.draft);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
  }

  /** Sends what is not sent yet; resolves with whether everything is stored now. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    // What changes while something is under way is sent after it.
    for (let round = 0; round < 3 && (this.#sending !== null || this.isUnsaved); round += 1) {
      this.#sending ??= this.#send().finally(() => {
        this.#sending = null;
      });
      await this.#sending;
      if (this.#editor.store.getState().save.kind !== "saved" && this.#sending === null) break;
    }
    return !this.isUnsaved;
  }

  /** Ends a conflict by taking, of each thing that both changed, the side that is preferred. */
  async resolve(prefer: (what: string) => Side): Promise<void> {
    const theirs = this.#theirs;
    if (theirs === null) return;
    this.#theirs = null;
    const base = this.#stored;
    this.#stored = theirs.draft;
    this.#editor.store.setState({ version: theirs.version });
    this.#editor.rebase((draft) => mergeDrafts(base, draft, theirs.draft, prefer).draft);
    await this.flush();
    if (!this.isUnsaved) this.#settle({ kind: "saved" });
  }

  /** Stores what is here as a flow of its own, and gives its id. */
  async saveAsNew(): Promise<string> {
    const { name, tags, nodes, edges, ...rest } = this.#editor.draft;
    const body = { ...rest, name: `${name} (mine)`, tags: [...tags], nodes: [...nodes], edges: [...edges] };
    const { id } = await this.#api.call("createFlow", { body });
    forgetDraft(this.#editor.flowId);
    return id;
  }

  /** Takes in what was changed elsewhere, when this page comes to the front again. */
  async refresh(words = "The flow was changed elsewhere. You see it as it is now."): Promise<void> {
    if (this.#sending !== null || this.#theirs !== null) return;
    if (this.isUnsaved) {
      await this.flush();
      return;
    }
    const theirs = await this.#fetch().catch(() => null);
    if (theirs === null || this.isUnsaved || theirs.version === this.#editor.store.getState().version) return;
    this.#adopt(theirs, words);
  }

  /** What another operation stored: restoring a version, setting a status. */
  adoptVersion(version: number): void {
    this.#editor.store.setState({ version });
  }

  #changed(): void {
    if (this.#theirs !== null) {
      this.#keep();
      return;
    }
    if (!this.isUnsaved) {
      forgetDraft(this.#editor.flowId);
      if (this.#sending === null) this.#settle({ kind: "saved" });
      return;
    }
    const { save } = this.#editor.store.getState();
    if (save.kind === "saved" || save.kind === "refused") this.#settle({ kind: "waiting" });
    this.#firstChange ??= Date.now();
    const most = Math.max(0, this.#firstChange + pause.most - Date.now());
    this.#schedule(Math.min(pause.quiet, most));
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#keep();
      void this.flush();
    }, ms);
  }

  #keep(): void {
    const { draft, version } = this.#editor.store.getState();
    keepDraft(this.#editor.flowId, { base: this.#stored, version, draft });
  }

  async #send(): Promise<void> {
    const { draft, version } = this.#editor.store.getState();
    if (isUnchanged(this.#stored, draft) || this.#theirs !== null) return;
    this.#firstChange = null;
    this.#settle({ kind: "saving" });
    try {
      const answer = await this.#api.callVersioned("updateFlow", {
        params: { id: this.#editor.flowId },
        body: draftChanges(this.#stored, draft),
        headers: { "if-match": `"${version}"` },
      });
      this.#stored = draft;
      this.#editor.store.setState({ version: answer.version ?? version });
      if (this.isUnsaved) return this.#changed();
      forgetDraft(this.#editor.flowId);
      this.#settle({ kind: "saved" });
    } catch (error) {
      this.#keep();
      await this.#failed(error);
    }
  }

  async #failed(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) {
      this.#settle({ kind: "offline" });
      return this.#schedule(pause.offline);
    }
    if (error.status === 401) return this.#settle({ kind: "signed-out" });
    if (error.status === 404) return this.#settle({ kind: "gone" });
    if (error.status !== 409) {
      const reasons = Object.values(error.details).map(String);
      return this.#settle({ kind: "refused", reasons: reasons.length > 0 ? reasons : [error.message] });
    }
    const theirs = await this.#fetch().catch(() => null);
    if (theirs === null) {
      this.#settle({ kind: "offline" });
      return this.#schedule(pause.offline);
    }
    const { clashes } = mergeDrafts(this.#stored, this.#editor.draft, theirs.draft);
    if (clashes.length > 0) {
      this.#theirs = theirs;
      return this.#settle({ kind: "conflict", clashes });
    }
    this.#adopt(theirs, "The flow was changed elsewhere too. Both changes are kept.");
    this.#schedule(0);
  }

  #adopt(theirs: { readonly draft: FlowDraft; readonly version: number }, words: string): void {
    const base = this.#stored;
    this.#stored = theirs.draft;
    this.#editor.store.setState({ version: theirs.version });
    this.#editor.rebase((draft) => (draft === base ? theirs.draft : mergeDrafts(base, draft, theirs.draft).draft));
    this.#editor.say(words);
  }

  async #fetch(): Promise<{ draft: FlowDraft; version: number }> {
    const flow = await this.#api.call("readFlow", { params: { id: this.#editor.flowId } });
    const draft = openDraft({ ...flow, nodes: flowNodes.parse(flow.nodes), edges: flowEdges.parse(flow.edges) });
    this.#editor.store.setState({ status: flow.status });
    return { draft, version: flow.version };
  }

  #settle(save: SaveState): void {
    this.#editor.store.setState({ save });
  }
}
