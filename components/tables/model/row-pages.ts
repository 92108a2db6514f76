// The loaded rows of a grid: fetched pages, of which those far from view are dropped, and rows
// added here.
import type { ShownRow } from "#components/tables/table-queries.ts";

interface Page {
  /** The cursor that leads to it; null for the first one. */
  readonly cursor: string | null;
  readonly size: number;
  /** Null while it is not loaded. */
  readonly rows: readonly ShownRow[] | null;
}

export interface RowPages {
  readonly pages: readonly Page[];
  /** The cursor of the next page; null if there is none, undefined before the first. */
  readonly next: string | null | undefined;
  /** Rows added here, and copies that are not saved yet. */
  readonly added: readonly ShownRow[];
  /** Whether added rows come first, because the end of the table is not in view. */
  readonly addedFirst: boolean;
}

export const noRows: RowPages = { pages: [], next: undefined, added: [], addedFirst: false };

export const pageRows = 100;
/** The maximum number of loaded pages; each has at most 2 MiB. */
const keptMax = 60;

/** A row that is not saved yet. */
const unsavedPrefix = "unsaved-";
let unsavedCount = 0;

export function unsavedRow(values: Readonly<Record<string, unknown>>): ShownRow {
  unsavedCount += 1;
  return { ...values, id: `${unsavedPrefix}${unsavedCount}`, version: 0, createdAt: "", updatedAt: "" };
}

export function isUnsaved(id: string): boolean {
  return id.startsWith(unsavedPrefix);
}

const known = new WeakMap<readonly Page[], readonly number[]>();

/** The index at which each page begins, and at last the number of rows. */
function offsetsOf(pages: readonly Page[]): readonly number[] {
  const found = known.get(pages);
  if (found !== undefined) return found;
  const offsets = [0];
  for (const { size } of pages) offsets.push((offsets.at(-1) ?? 0) + size);
  known.set(pages, offsets);
  return offsets;
}

/** The number of rows to scroll through. */
export function countOf({ pages, added }: RowPages): number {
  return (offsetsOf(pages).at(-1) ?? 0) + added.length;
}

function pageAt(offsets: readonly number[], index: number): number {
  let [low, high] = [0, offsets.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The row at an index; undefined while it is not loaded. */
export function rowAt(rows: RowPages, index: number): ShownRow | undefined {
  const offsets = offsetsOf(rows.pages);
  const fetched = offsets.at(-1) ?? 0;
  const inPages = rows.addedFirst ? index - rows.added.length : index;
  if (inPages < 0) return rows.added[index];
  if (inPages >= fetched) return rows.addedFirst ? undefined : rows.added[inPages - fetched];
  const page = pageAt(offsets, inPages);
  return rows.pages[page]?.rows?.[inPages - (offsets[page] ?? 0)];
}

/** The missing pages in a range of rows. */
export function missingPages(rows: RowPages, from: number, to: number): number[] {
  const offsets = offsetsOf(rows.pages);
  const shift = rows.addedFirst ? rows.added.length : 0;
  const last = Math.min(to - shift, (offsets.at(-1) ?? 0) - 1);
  if (last < 0 || rows.pages.length === 0) return [];
  const missing: number[] = [];
  for (let page = pageAt(offsets, Math.max(0, from - shift)); page <= pageAt(offsets, last); page += 1) {
    if (rows.pages[page]?.rows === null) missing.push(page);
  }
  return missing;
}

interface Fetched {
  readonly rows: readonly ShownRow[];
  readonly nextCursor: string | null;
}

/** With another page at the end. Rows added here meanwhile keep their positions. */
export function withPage(state: RowPages, cursor: string | null, { rows, nextCursor }: Fetched): RowPages {
  const here = new Set(state.added.map(({ id }) => id));
  const fresh = rows.filter(({ id }) => !here.has(id));
  return { ...state, pages: [...state.pages, { cursor, size: fresh.length, rows: fresh }], next: nextCursor };
}

/** With a dropped page loaded again. */
export function withPageAgain(state: RowPages, at: number, fetched: readonly ShownRow[]): RowPages {
  const neighbours = [state.pages[at - 1]?.rows ?? [], state.pages[at + 1]?.rows ?? [], state.added].flat();
  const here = new Set(neighbours.map(({ id }) => id));
  const rows = fetched.filter(({ id }) => !here.has(id));
  return { ...state, pages: state.pages.map((page, n) => (n === at ? { ...page, rows, size: rows.length } : page)) };
}

/** Without the pages farthest from an index, if there are too many. */
export function withoutFarPages(state: RowPages, index: number): RowPages {
  const there = state.pages.flatMap((page, index) => (page.rows === null ? [] : [index]));
  if (there.length <= keptMax) return state;
  const near = pageAt(offsetsOf(state.pages), index);
  const far = there.sort((a, b) => Math.abs(b - near) - Math.abs(a - near)).slice(0, there.length - keptMax);
  const dropped = new Set(far);
  return { ...state, pages: state.pages.map((page, index) => (dropped.has(index) ? { ...page, rows: null } : page)) };
}

/** Replaces each row by the function's result; null removes it. */
function changed(state: RowPages, change: (row: ShownRow) => ShownRow | null): RowPages {
  const over = (rows: readonly ShownRow[]) => {
    let isSame = true;
    const after = rows.flatMap((row) => {
      const next = change(row);
      isSame &&= next === row;
      return next === null ? [] : [next];
    });
    return isSame ? rows : after;
  };
  const pages = state.pages.map((page) => {
    const rows = page.rows === null ? null : over(page.rows);
    return rows === page.rows || rows === null ? page : { ...page, rows, size: rows.length };
  });
  return { ...state, pages, added: over(state.added) };
}

/** Overwrites values of rows. */
export function patched(state: RowPages, patches: ReadonlyMap<string, Readonly<Record<string, unknown>>>): RowPages {
  if (patches.size === 0) return state;
  return changed(state, (row) => {
    const patch = patches.get(row.id);
    return patch === undefined ? row : ({ ...row, ...patch } as ShownRow);
  });
}

export function without(state: RowPages, ids: ReadonlySet<string>): RowPages {
  return ids.size === 0 ? state : changed(state, (row) => (ids.has(row.id) ? null : row));
}

export function withAdded(state: RowPages, rows: readonly ShownRow[]): RowPages {
  const addedFirst = state.added.length === 0 ? state.next !== null : state.addedFirst;
  return { ...state, added: [...state.added, ...rows], addedFirst };
}

/** The loaded rows with these ids. */
export function rowsWith(state: RowPages, ids: ReadonlySet<string>): ShownRow[] {
  return [...state.pages.flatMap(({ rows }) => rows ?? []), ...state.added].filter(({ id }) => ids.has(id));
}
