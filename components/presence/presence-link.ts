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
  /** Whom the view follows. */
  readonly following: string | null;
}

const unknown = { people: null, others: 0, saved: null } as const;

/** The loop whose body is shown, null for the flow's own canvas, and what is selected there. */
interface Place {
  readonly within: string | null;
  readonly selection: readonly string[];
}

const start: Place = { within: null, selection: [] };

/**
 * Announces this tab and its place in the flow, and receives others'. Only while the tab is visible: a background
 * tab counts as away and holds none of the few connections that browsers allow.
 */
export class PresenceLink {
  readonly store: StoreApi<PresenceState> = createStore<PresenceState>(() => ({ ...unknown, following: null }));
  readonly #api: Api;
  readonly #flowId: string;
  #tab = "";
  #place: Place = start;
  #sent: Place = start;
  /** The level that following last led to: the page may still be on its way there. */
  #led: string | null | undefined;
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
    this.#sent = start;
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

  /**
   * Announces what is selected, and the loop whose body is shown; null for the flow's own canvas. Going to another level
   * than the followed person's ends following.
   */
  select(ids: Iterable<string>, within: string | null = null): void {
    const hasGone = within !== this.#place.within && within !== this.#led;
    this.#place = { within, selection: withinLimits(ids) };
    if (hasGone && within !== this.followedLevel) this.follow(null);
    if (!isSame(this.#place, this.#sent)) this.#speakIn(this.#spokenAt + pace.apart - Date.now());
  }

  /** Lets the view follow a person; null ends it. */
  follow(userId: string | null): void {
    this.#led = undefined;
    this.store.setState({ following: userId });
  }

  /** Where the followed person is: as `select` takes it, undefined if nobody is followed. */
  get followedLevel(): string | null | undefined {
    const { people, following } = this.store.getState();
    return people?.find(({ userId }) => userId === following)?.within;
  }

  /** The level to show now, to stay with the followed person; undefined if this one is right. */
  lead(): string | null | undefined {
    const level = this.followedLevel;
    if (level === undefined || level === this.#place.within) return undefined;
    this.#led = level;
    return level;
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
    const place = this.#place;
    const tab = this.#tab;
    const body = { tab, within: place.within, selection: [...place.selection] };
    const signal = AbortSignal.timeout(pace.answer);
    const speaking = this.#api.call("enterFlow", { params: { id: this.#flowId }, body, signal }).then(
      () => this.#heard(place, tab),
      (error) => this.#unheard(error),
    );
    this.#speaking = speaking;
    const isThere = await speaking;
    this.#speaking = null;
    this.#spokenAt = Date.now();
    this.#speakIn(isThere && !isSame(this.#place, this.#sent) ? pace.apart : pace.heartbeat);
  }

  #heard(place: Place, tab: string): boolean {
    if (!this.#isHere || tab !== this.#tab) return true;
    this.#sent = place;
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
      const event = JSON.parse(data) as PresenceEvent["data"];
      const { others, saved } = event;
      const people = peopleOf(event, this.#tab);
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

function isSame(a: Place, b: Place): boolean {
  const [ids, others] = [a.selection, b.selection];
  return a.within === b.within && ids.length === others.length && ids.every((id, index) => id === others[index]);
}
