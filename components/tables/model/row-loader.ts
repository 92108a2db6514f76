import type { Api } from "#components/api/use-api.ts";
import type { ShownRow } from "#components/tables/table-queries.ts";
import type { GridState } from "./grid-state.ts";
import {
  countOf,
  isUnsaved,
  missingPages,
  noRows,
  pageRows,
  withoutFarPages,
  withPage,
  withPageAgain,
} from "./row-pages.ts";

/** The filter, search and order of the rows. */
export interface RowSearch {
  readonly where: string | undefined;
  readonly sort: string | undefined;
}

/** The next page is fetched when the view is this close to the end of the loaded rows. */
const aheadRows = 20;
/** The API's limit of ids in a filter. */
const idsAtOnce = 100;

interface Store {
  readonly state: GridState;
  readonly set: (change: Partial<GridState>) => void;
}

/** Fetches the visible rows, page by page. */
export class RowLoader {
  readonly #api: Api;
  readonly #tableId: string;
  readonly #store: Store;
  #search: RowSearch = { where: undefined, sort: undefined };
  #abort = new AbortController();
  #next: Promise<void> | null = null;
  readonly #again = new Set<number>();

  constructor(api: Api, tableId: string, store: Store) {
    this.#api = api;
    this.#tableId = tableId;
    this.#store = store;
  }

  /** Starts over. Keeps unsaved rows. */
  begin(search: RowSearch): void {
    this.#search = search;
    this.stop();
    const added = this.#store.state.rows.added.filter(({ id }) => isUnsaved(id));
    this.#store.set({ rows: { ...noRows, added, addedFirst: true }, failure: null });
    void this.#fetchNext();
  }

  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#next = null;
    this.#again.clear();
  }

  /** Sets the visible rows, and fetches those that are missing. */
  show(from: number, to: number): void {
    const { rows, failure } = this.#store.state;
    if (failure !== null) return;
    for (const page of missingPages(rows, from, to)) void this.#fetchAgain(page, from);
    if (typeof rows.next === "string" && to >= countOf(rows) - aheadRows) void this.#fetchNext(from);
  }

  /** Retries after a failure. */
  retry(): void {
    this.#store.set({ failure: null });
    void this.#fetchNext();
  }

  /** Fetches until a row is loaded, or all are. */
  async reach(index: number): Promise<void> {
    while (index >= countOf(this.#store.state.rows) && this.#store.state.rows.next !== null) {
      await this.#fetchNext(index);
      if (this.#store.state.failure !== null) throw this.#store.state.failure;
    }
    const { rows } = this.#store.state;
    await Promise.all(missingPages(rows, 0, index).map((page) => this.#fetchAgain(page, index)));
  }

  /** The current rows with these ids, without deleted ones. */
  async read(ids: readonly string[]): Promise<ShownRow[]> {
    const found: ShownRow[] = [];
    for (let from = 0; from < ids.length; from += idsAtOnce) {
      const where = JSON.stringify({ id: { in: ids.slice(from, from + idsAtOnce) } });
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<RowLoader["fetch"]>> = await this.fetch({ where, sort: undefined }, cursor);
        found.push(...page.rows);
        cursor = page.nextCursor;
      } while (cursor !== null);
    }
    return found;
  }

  async fetch({ where, sort }: RowSearch, cursor: string | null, limit = pageRows, signal?: AbortSignal) {
    return await this.#api.call("listRows", {
      params: { id: this.#tableId },
      query: { where, sort, limit: String(limit), cursor: cursor ?? undefined },
      ...(signal && { signal }),
    });
  }

  #fetchNext(near = 0): Promise<void> {
    if (this.#store.state.rows.next === null) return Promise.resolve();
    if (this.#next !== null) return this.#next;
    const fetching = this.#fetchPage(near).finally(() => {
      if (this.#next === fetching) this.#next = null;
    });
    this.#next = fetching;
    return fetching;
  }

  async #fetchPage(near: number): Promise<void> {
    const { signal } = this.#abort;
    const cursor = this.#store.state.rows.next ?? null;
    this.#store.set({ isLoading: true });
    try {
      const page = await this.fetch(this.#search, cursor, pageRows, signal);
      if (signal.aborted) return;
      this.#keep({ ...withPage(this.#store.state.rows, cursor, page) }, near);
    } catch (error) {
      if (!signal.aborted) this.#store.set({ isLoading: false, failure: error as Error });
    }
  }

  async #fetchAgain(at: number, near: number): Promise<void> {
    const page = this.#store.state.rows.pages[at];
    if (page === undefined || this.#again.has(at)) return;
    const { signal } = this.#abort;
    this.#again.add(at);
    try {
      const { rows } = await this.fetch(this.#search, page.cursor, Math.max(1, page.size), signal);
      if (!signal.aborted) this.#keep(withPageAgain(this.#store.state.rows, at, rows), near);
    } catch (error) {
      if (!signal.aborted) this.#store.set({ failure: error as Error });
    } finally {
      if (!signal.aborted) this.#again.delete(at);
    }
  }

  #keep(rows: GridState["rows"], near: number): void {
    const { writing } = this.#store.state;
    // No page is dropped while rows are being saved.
    this.#store.set({ rows: writing > 0 ? rows : withoutFarPages(rows, near), isLoading: false });
  }
}
