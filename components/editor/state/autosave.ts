import type { Api } from "#components/api/use-api.ts";
import { joinDrafts } from "#components/editor/draft/separate-added.ts";
import { ApiError } from "#lib/contract/client.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { Side } from "#lib/engine/changes/merge-drafts.ts";
import { isUnchanged } from "../draft/draft-changes.ts";
import { keepPlaces } from "../draft/place-draft.ts";
import type { Editor } from "./editor.ts";
import { forgetDraft, keepDraft } from "./kept-draft.ts";
import { isTrouble, readRefusal, SavePace, type SaveState } from "./save-state.ts";
import {
  type Beginning,
  discardCopy,
  fetchServerFlow,
  isSameState,
  nextToStore,
  outdated,
  type ServerFlow,
  storeFlow,
} from "./server-flow.ts";

const roundsMax = 5;

/**
 * Saves edits to the server, a moment after each change. Sends along which state they are based on, so that nobody's
 * changes are overwritten: changes made elsewhere are fetched and merged, and conflicts are resolved by the
 * user. Until they are saved, edits are also kept in the browser.
 */
export class Autosave {
  readonly #editor: Editor;
  readonly #api: Api;
  readonly #beginning: Beginning;
  /** The server's state, as far as this page knows. */
  #known: ServerFlow;
  #theirs: ServerFlow | null = null;
  /** Whether the server's working copy is unchanged since it was merged with the published version. */
  #isCopyBehind = false;
  /** The last request without a response: the server may have saved it all the same. */
  #unanswered: FlowDraft | null = null;
  readonly #pace = new SavePace(() => {
    this.keep();
    void this.flush();
  });
  #sending: Promise<void> | null = null;
  #unsubscribe: () => void = () => {};

  constructor(editor: Editor, api: Api, beginning: Beginning) {
    this.#editor = editor;
    this.#api = api;
    this.#beginning = beginning;
    this.#known = beginning.server;
  }

  /** Starts saving. May be called again after `stop`. */
  start(): void {
    this.#unsubscribe();
    this.#unsubscribe = this.#editor.store.subscribe((state, before) => {
      if (state.draft !== before.draft) this.#changed();
    });
    if (this.isUnsaved) this.#changed();
  }

  get isUnsaved(): boolean {
    return !isUnchanged(this.#known.draft, this.#editor.draft);
  }

  /** Stops; offline, it still tries to send what is unsaved, unless `isForGood`: another visit does that. */
  stop(isForGood = false): void {
    this.#pace.stop(isForGood);
    this.#unsubscribe();
  }

  /** Saves now; resolves with whether everything is saved. */
  async flush(): Promise<boolean> {
    this.#pace.stop();
    // Changes made while a save is in progress are saved after it.
    for (let round = 0; round < roundsMax && (this.#sending !== null || this.isUnsaved); round += 1) {
      this.#sending ??= this.#send().finally(() => {
        this.#sending = null;
      });
      await this.#sending;
      if (isTrouble(this.#editor.store.getState().save)) break;
    }
    if (!this.isUnsaved && this.#sending === null && this.#unanswered !== null) await this.#findUnanswered();
    if (!this.isUnsaved && this.#known.updatedAt === outdated) await this.refresh();
    return !this.isUnsaved;
  }

  /** Keeps unsaved edits in the browser, at once: the page may be gone in a moment. Returns whether it could. */
  keep(): boolean {
    if (!this.isUnsaved) {
      // Undone edits must not come back at the next visit.
      forgetDraft(this.#beginning.keptAt);
      return true;
    }
    if (this.#editor.store.getState().save.kind === "forbidden") return false;
    const { draft, ...stamp } = this.#known;
    return keepDraft(this.#beginning.keptAt, {
      ...stamp,
      base: draft,
      draft: this.#editor.draft,
      keptAt: new Date().toISOString(),
    });
  }

  /** Resolves a conflict: the preferred side wins wherever both changed the same thing. */
  async resolve(prefer: (key: string) => Side): Promise<void> {
    const theirs = this.#theirs;
    if (theirs === null) return;
    this.#theirs = null;
    this.#takeIn(theirs, prefer);
    await this.#leaveCopyBehind();
    if (!(await this.flush())) return;
    this.#isStored();
    await this.refresh();
  }

  /** The edits were stored elsewhere: nothing is left to save or keep. */
  abandon(): void {
    this.stop();
    this.#known = { ...this.#known, draft: this.#editor.draft };
    forgetDraft(this.#beginning.keptAt);
  }

  /** Merges changes made elsewhere when the page becomes visible again; silent without `words`. */
  async refresh(words = "The flow was changed elsewhere. You are seeing the latest version."): Promise<void> {
    if (this.#sending !== null) return;
    if (this.#theirs !== null) return this.#refreshTheirs(this.#theirs);
    if (this.isUnsaved) {
      await this.flush();
      return;
    }
    const known = this.#known;
    const theirs = await this.fetch().catch(() => null);
    // A read that began before a save is stale.
    const isOvertaken = this.#known !== known || this.#sending !== null || this.isUnsaved;
    if (theirs === null || isOvertaken || isSameState(theirs, known)) return;
    const isSame = isDeepEqual(theirs.draft, known.draft);
    this.#takeIn(theirs);
    if (!isSame && words !== "") this.#editor.say(words);
  }

  #changed(): void {
    if (this.#theirs !== null) this.#compareAgain(this.#theirs);
    else if (this.isUnsaved) this.#sendSoon();
    else if (this.#unanswered !== null) this.#pace.soon();
    else if (this.#sending === null) this.#isStored();
  }

  #sendSoon(): void {
    const { save } = this.#editor.store.getState();
    if (save.kind === "saved" || save.kind === "refused") this.#settle({ kind: "waiting" });
    this.#pace.changed();
  }

  async #send(): Promise<void> {
    const { draft } = this.#editor;
    const known = this.#known;
    if (isUnchanged(known.draft, draft) || this.#theirs !== null) return;
    this.#pace.sent();
    this.#settle({ kind: "saving" });
    const { flowId, store } = this.#editor;
    const next = nextToStore(known, draft, store.getState().status === "active");
    try {
      const stamp = await storeFlow(this.#api, flowId, known, next);
      this.#unanswered = null;
      this.learn({ ...stamp, draft: next.draft });
      if (this.isUnsaved) return this.#changed();
      this.#isStored();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) this.keep();
      if (!(error instanceof ApiError) || error.status >= 500) this.#unanswered = next.draft;
      await this.#failed(error);
    }
  }

  async #failed(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) return this.#wait();
    // A later visit could not save it either.
    if (error.status === 403) forgetDraft(this.#beginning.keptAt);
    if (error.status !== 409) return this.#settle(readRefusal(error, this.#editor.draft, () => this.keep()));
    const theirs = await this.fetch().catch(() => null);
    if (theirs === null) return this.#wait();
    if (this.#unanswered !== null && isDeepEqual(theirs.draft, this.#unanswered)) {
      // Nobody else has changed it: only the response was lost.
      this.learn({ ...theirs, draft: this.#unanswered });
    } else if (!this.#join(theirs)) return;
    this.#goOn();
  }

  /** Merges both sides' changes; says nothing if they are the same. False if they conflict: the user is asked. */
  #join(theirs: ServerFlow): boolean {
    const { clashes } = joinDrafts(this.#known.draft, this.#editor.draft, theirs.draft, this.#editor.types);
    if (clashes.length > 0) {
      this.#theirs = theirs;
      this.#settle({ kind: "conflict", clashes });
      return false;
    }
    const isSame = [this.#known.draft, this.#editor.draft].some((draft) => isDeepEqual(theirs.draft, draft));
    this.#takeIn(theirs);
    if (!isSame) this.#editor.say("The flow was changed elsewhere too. Both changes are kept.");
    return true;
  }

  /** While the user chooses, the conflict follows what is changed here: it ends, and is saved, when nothing is left of it. */
  #compareAgain(theirs: ServerFlow): void {
    this.keep();
    const { clashes } = joinDrafts(this.#known.draft, this.#editor.draft, theirs.draft, this.#editor.types);
    if (clashes.length > 0) this.#settle({ kind: "conflict", clashes });
    else this.resolve(() => "mine").catch(() => {});
  }

  /** And what is changed elsewhere, unless it is about a published version. */
  async #refreshTheirs(shown: ServerFlow): Promise<void> {
    if (this.#isCopyBehind) return;
    const theirs = await this.fetch().catch(() => null);
    if (theirs === null || this.#theirs !== shown || isSameState(theirs, shown)) return;
    this.#theirs = theirs;
    this.#compareAgain(theirs);
  }

  #goOn(): void {
    this.#unanswered = null;
    if (this.isUnsaved) this.#pace.now();
    else this.#isStored();
  }

  get known(): ServerFlow {
    return this.#known;
  }

  /** Merges the edits with the version published meanwhile, both based on `base`; conflicts are resolved by the user. */
  async meet(base: FlowDraft, published: ServerFlow): Promise<void> {
    this.#known = { ...this.#known, draft: base };
    this.#isCopyBehind = true;
    if (!this.#join(published)) return;
    await this.#leaveCopyBehind();
    this.#goOn();
  }

  /** If everything merged is already published, the working copy has no changes left and is discarded. */
  async #leaveCopyBehind(): Promise<void> {
    const isLeft = this.#isCopyBehind && !this.isUnsaved;
    this.#isCopyBehind = false;
    if (!isLeft) return;
    this.#known = { ...this.#known, updatedAt: outdated };
    await discardCopy(this.#api, this.#editor.flowId, this.#known).finally(() => this.refresh());
  }

  /** A change whose response was lost has been undone since: the server may have it, or someone else's changes. */
  async #findUnanswered(): Promise<void> {
    const theirs = await this.fetch().catch(() => null);
    if (theirs === null) return this.#wait();
    const sent = this.#unanswered;
    if (sent !== null && isDeepEqual(theirs.draft, sent)) this.learn({ ...theirs, draft: sent });
    else this.#takeIn(theirs);
    this.#goOn();
  }

  #wait(): void {
    this.#settle({ kind: "offline", kept: this.keep() });
    this.#pace.later();
  }

  /** Applies changes made elsewhere below the edits made here: undo never reverts them. */
  #takeIn(theirs: ServerFlow, prefer: (key: string) => Side = () => "mine"): void {
    const base = this.#known.draft;
    this.learn(theirs);
    this.#editor.takeIn(base, theirs.draft, prefer);
  }

  /** Fetches the server's current flow. */
  async fetch(): Promise<ServerFlow> {
    const { draft, status, ...stamp } = await fetchServerFlow(this.#api, this.#editor.flowId, this.#editor.types);
    this.#editor.store.setState({ status });
    return { ...stamp, draft: this.asShown(draft) };
  }

  /** With positions as shown here for nodes without stored ones. */
  asShown(draft: FlowDraft): FlowDraft {
    return keepPlaces(draft, this.#beginning.stored, this.#beginning.shown);
  }

  /** Records the server's current state. */
  learn(server: ServerFlow): void {
    this.#known = server;
    this.#editor.learn(server);
  }

  #isStored(): void {
    this.#pace.sent();
    forgetDraft(this.#beginning.keptAt);
    this.#settle({ kind: "saved" });
  }

  #settle(save: SaveState): void {
    this.#editor.store.setState({ save });
  }
}
