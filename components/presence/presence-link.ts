import { createStore, type StoreApi } from "zustand";
import type { Api } from "#components/api/use-api.ts";
import { ApiError } from "#lib/contract/client.ts";
import type { PresenceEvent } from "#lib/contract/flows/presence.ts";
import { type Person, peopleOf } from "./people.ts";

/**
 * Milliseconds. `heartbeat`: a third of the lease; `apart`: the least time between messages, however fast the
 * selection moves.
 */
const pace = { heartbeat: 5_000, apart: 300, answer: 8_000 } as const;
/** The service's limit of a selection; the rest is not sent. */
const selection = { idsMax: 100, bytesMax: 4_000 } as const;

export type Saved = PresenceEvent["data"]["saved"];

export interface PresenceState {
  /** Everyone else; null while unknown: offline, in the background, before the first answer. */
  readonly people: readonly Person[] | null;
  /** The number of tabs beyond those that are listed. */
  readonly others: number;
  /** The flow's stored state; null while unknown. */
  readonly saved: Saved | null;
  /** Whose selection the view follows. */
  readonly following: string | null;
}

const unknown = { people: null, others: 0, saved: null } as const;

/**
 * Announces this tab and its selection in the flow, and receives others'. Only while the tab is visible: a background
 * tab counts as away and holds none of the few connections that browsers allow.
 */
export class PresenceLink {
  readonly store: StoreApi<PresenceState> = createStore<PresenceState>(() => ({ ...unknown, following: null }));
  readonly #api: Api;
  readonly #flowId: string;
  #tab = "";
  #selection: readonly string[] = [];
  #sent: readonly string[] = [];
  #spokenAt = Number.NEGATIVE_INFINITY;
  /** The message in flight; resolves with whether the service is reachable. */
  #speaking: Promise<boolean> | null = null;
  #source: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStarted = false;

  constructor(api: Api, flowId: string) {
    this.#api = api;
    this.#flowId = flowId;
  }

  /** Begins a visit. May be called again after `stop`. */
  start(): void {
    this.#isStarted = true;
    this.#tab = newTab();
    this.#sent = [];
    document.addEventListener("visibilitychange", this.#turned);
    window.addEventListener("pagehide", this.#left);
    window.addEventListener("pageshow", this.#turned);
    window.addEventListener("offline", this.#turned);
    window.addEventListener("online", this.#turned);
    this.#turned();
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.#turned);
    window.removeEventListener("pagehide", this.#left);
    window.removeEventListener("pageshow", this.#turned);
    window.removeEventListener("offline", this.#turned);
    window.removeEventListener("online", this.#turned);
    this.#isStarted = false;
    this.#left();
  }

  /** Announces the current selection. */
  select(ids: Iterable<string>): void {
    this.#selection = withinLimits(ids);
    if (!isSame(this.#selection, this.#sent)) this.#speakIn(this.#spokenAt + pace.apart - Date.now());
  }

  /** Lets the view follow a person's selection; null ends it. */
  follow(userId: string | null): void {
    this.store.setState({ following: userId });
  }

  get #isHere(): boolean {
    return this.#isStarted && document.visibilityState === "visible" && navigator.onLine;
  }

  readonly #turned = () => {
    if (this.#isHere) this.#speakIn(this.#spokenAt + pace.apart - Date.now());
    // No farewell: the lease expires by itself, and a quick look elsewhere leaves it valid.
    else this.#lose();
  };

  readonly #left = () => {
    this.#lose();
    const leave = () => {
      const query = { tab };
      this.#api.call("leaveFlow", { params: { id: this.#flowId }, query, keepalive: true }).catch(() => {});
    };
    const tab = this.#tab;
    leave();
    // A message in flight could arrive after the farewell.
    void this.#speaking?.then(leave);
  };

  #speakIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isHere) this.#timer = setTimeout(() => void this.#speak(), Math.max(0, ms));
  }

  async #speak(): Promise<void> {
    if (this.#speaking !== null || !this.#isHere) return;
    const said = this.#selection;
    const tab = this.#tab;
    const body = { tab, selection: [...said] };
    const signal = AbortSignal.timeout(pace.answer);
    const speaking = this.#api.call("enterFlow", { params: { id: this.#flowId }, body, signal }).then(
      () => this.#heard(said, tab),
      (error) => this.#unheard(error),
    );
    this.#speaking = speaking;
    const isThere = await speaking;
    this.#speaking = null;
    this.#spokenAt = Date.now();
    this.#speakIn(isThere && !isSame(this.#selection, this.#sent) ? pace.apart : pace.heartbeat);
  }

  #heard(said: readonly string[], tab: string): boolean {
    if (!this.#isHere || tab !== this.#tab) return true;
    this.#sent = said;
    this.#listen();
    return true;
  }

  #unheard(error: unknown): boolean {
    const status = error instanceof ApiError ? error.status : 0;
    // A rate limit does not make the known state stale.
    if (status === 429) return true;
    this.#lose();
    // A refusal is final.
    if (status === 401 || status === 403 || status === 404) this.stop();
    return false;
  }

  #listen(): void {
    if (this.#source !== null) return;
    const source = new EventSource(this.#api.url("streamPresence", { params: { id: this.#flowId } }));
    this.#source = source;
    source.addEventListener("presence", ({ data }: MessageEvent<string>) => {
      const told = JSON.parse(data) as PresenceEvent["data"];
      const { others, saved } = told;
      const people = peopleOf(told, this.#tab);
      const { following } = this.store.getState();
      const isThere = people.some(({ userId }) => userId === following);
      this.store.setState({ people, others, saved, following: isThere ? following : null });
    });
    source.addEventListener("error", () => {
      if (this.#source !== source) return;
      if (source.readyState === EventSource.CLOSED) this.#lose();
      // It reconnects by itself; a message finds out whether the server is reachable.
      this.#speakIn(this.#spokenAt + pace.apart - Date.now());
    });
  }

  /** Nothing is known, so nothing is shown. */
  #lose(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.store.setState({ ...unknown, following: null });
  }
}

/** A name for a visit. Not `randomUUID`, which browsers have only over TLS and on localhost. */
function newTab(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** As much of a selection as the service takes. */
export function withinLimits(ids: Iterable<string>): readonly string[] {
  const taken: string[] = [];
  let bytes = 2;
  for (const id of ids) {
    bytes += new TextEncoder().encode(JSON.stringify(id)).length + 1;
    if (taken.length === selection.idsMax || bytes > selection.bytesMax) break;
    taken.push(id);
  }
  return taken;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
