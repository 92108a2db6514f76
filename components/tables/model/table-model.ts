// The table as shown and edited: edits are shown at once, and saved one after the other.
import type { Api } from "#components/api/use-api.ts";
import type { ShownColumn, ShownRow } from "#components/tables/table-queries.ts";
import { cellText, isSame, readCellText } from "#components/tables/text/cell-values.ts";
import {
  inverse,
  noHistory,
  noStep,
  type RowCopy,
  type RowUpdate,
  redoStep,
  undoStep,
  type Values,
  withStep,
} from "./edit-history.ts";
import { cellKey, emptyState, type GridState, readyRows, valuesOf } from "./grid-state.ts";
import { RowLoader, type RowSearch } from "./row-loader.ts";
import { countOf, isUnsaved, patched, rowAt, rowsWith, unsavedRow, withAdded, without } from "./row-pages.ts";
import { RowWriter } from "./row-writer.ts";

/** A cell's new text: typed, pasted, or empty to clear it. */
export interface CellText {
  readonly row: ShownRow;
  readonly column: ShownColumn;
  readonly text: string;
}

export interface TableModelOptions {
  readonly api: Api;
  readonly tableId: string;
  readonly columns: readonly ShownColumn[];
  /** Reports what was not done. */
  readonly onFailure: (message: string) => void;
}

export class TableModel {
  #state: GridState = emptyState;
  readonly #watchers = new Set<() => void>();
  readonly #saving = new Set<string>();
  readonly loader: RowLoader;
  readonly #writer: RowWriter;
  #columns: readonly ShownColumn[];
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ api, tableId, columns, onFailure }: TableModelOptions) {
    this.#columns = columns;
    const model = this;
    const store = {
      get state() {
        return model.#state;
      },
      set: (change: Partial<GridState>) => this.#set(change),
    };
    this.loader = new RowLoader(api, tableId, store);
    this.#writer = new RowWriter({ api, tableId, store, loader: this.loader, onFailure, columns: () => this.#columns });
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly state = (): GridState => this.#state;

  #set(change: Partial<GridState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of this.#watchers) watcher();
  }

  /** Shows the rows of another search. Undo still works. */
  search(search: RowSearch): void {
    this.loader.begin(search);
  }

  /** Replaces the table's columns, and clears the history, whose steps refer to the previous ones. */
  setColumns(columns: readonly ShownColumn[]): void {
    this.#columns = columns;
    this.#set({ history: noHistory, problems: new Map(), conflicts: [] });
  }

  /** Sets cells' text. Invalid text stays in its cell with the reason. `more`: values for new rows. */
  edit(cells: readonly CellText[], more: readonly (readonly { column: ShownColumn; text: string }[])[] = []): void {
    const fresh = more.map(() => unsavedRow(this.#noValues()));
    const all = [...cells, ...fresh.flatMap((row, index) => (more[index] ?? []).map((cell) => ({ row, ...cell })))];
    const problems = new Map(this.#state.problems);
    const changes = new Map<string, { before: Record<string, unknown>; after: Record<string, unknown> }>();
    for (const { row, column, text } of all) {
      const key = cellKey(row.id, column.name);
      const read = readCellText(column, text);
      problems.delete(key);
      if ("problem" in read) {
        problems.set(key, { text, message: read.problem });
        continue;
      }
      const change = changes.get(row.id) ?? { before: {}, after: {} };
      changes.set(row.id, change);
      if (isSame(row[column.name], read.value)) continue;
      change.before[column.name] = row[column.name] ?? null;
      change.after[column.name] = read.value;
    }
    const rows = fresh.length > 0 ? withAdded(this.#state.rows, fresh) : this.#state.rows;
    this.#set({ problems, rows: patched(rows, new Map([...changes].map(([id, { after }]) => [id, after]))) });
    const updates = [...changes]
      .filter(([id, { after }]) => Object.keys(after).length > 0 && (!isUnsaved(id) || this.#saving.has(id)))
      .map(([id, change]): RowUpdate => ({ id, ...change }));
    this.#write(updates, this.#takeReady());
  }

  /** Adds an empty row, which is saved once it is complete. Returns its index. */
  addRow(): number {
    const row = unsavedRow(this.#noValues());
    const rows = withAdded(this.#state.rows, [row]);
    this.#set({ rows });
    this.#write([], this.#takeReady());
    const at = rows.added.length - 1;
    return rows.addedFirst ? at : countOf(rows) - 1;
  }

  /** Pastes a block of cells at a position; lines beyond the last row become new rows. */
  async paste(from: number, columns: readonly ShownColumn[], block: readonly (readonly string[])[]): Promise<void> {
    await this.loader.reach(from + block.length - 1);
    const { rows } = this.#state;
    // Rows added at the top are not part of the order: a block pasted over them does not continue below them.
    const end = rows.addedFirst && from < rows.added.length ? rows.added.length : countOf(rows);
    const cells: CellText[] = [];
    const more: { column: ShownColumn; text: string }[][] = [];
    block.forEach((texts, down) => {
      const row = from + down < end ? rowAt(rows, from + down) : undefined;
      const given = columns.flatMap((column, index) => {
        const text = texts[index];
        return text === undefined ? [] : [{ column, text }];
      });
      if (row === undefined) more.push(given);
      else cells.push(...given.map((cell) => ({ row, ...cell })));
    });
    this.edit(cells, more);
  }

  /** Rows as they are now: they may have been saved or changed since they were shown. */
  now(rows: readonly ShownRow[]): ShownRow[] {
    const ids = rows.map(({ id }) => this.#writer.idOf(id));
    const current = new Map(rowsWith(this.#state.rows, new Set(ids)).map((row) => [row.id, row]));
    return rows.map((row, at) => current.get(ids[at] ?? row.id) ?? row);
  }

  delete(shown: readonly ShownRow[]): void {
    const rows = this.now(shown);
    const ids = new Set(rows.map(({ id }) => id));
    this.#set({ rows: without(this.#state.rows, ids) });
    const saved = rows.filter(({ id }) => !isUnsaved(id) || this.#saving.has(id));
    if (saved.length === 0) return;
    const deleted = saved.map((row): RowCopy => ({ id: row.id, values: valuesOf(row, this.#columns) }));
    this.#inTurn(saved.length, async () => {
      const done = await this.#writer.perform({ ...noStep, deleted });
      this.#set({ history: withStep(this.#state.history, done) });
    });
  }

  undo(): void {
    this.#again(undoStep, inverse);
  }

  redo(): void {
    this.#again(redoStep, (step) => step);
  }

  /** Discards invalid text. */
  letGo(row: ShownRow, column: ShownColumn): void {
    const problems = new Map(this.#state.problems);
    problems.delete(cellKey(row.id, column.name));
    this.#set({ problems });
    this.saveAgain();
  }

  /** Resolves a conflict: keeps the other's values, or overwrites them with those typed here. */
  settle(id: string, keep: "mine" | "theirs"): void {
    const conflict = this.#state.conflicts.find((candidate) => candidate.id === id);
    if (conflict === undefined) return;
    this.#set({ conflicts: this.#state.conflicts.filter((candidate) => candidate !== conflict) });
    if (keep === "theirs") return;
    const { mine, theirs } = conflict;
    const before: Values = Object.fromEntries(Object.keys(mine).map((name) => [name, theirs[name] ?? null]));
    this.#set({ rows: patched(this.#state.rows, new Map([[id, mine]])) });
    this.#write([{ id, before, after: mine }], []);
  }

  /** Retries rows that could not be saved. */
  saveAgain(): void {
    this.#write([], this.#takeReady());
  }

  /** A cell's text: invalid typed text, or its value. */
  textOf(row: ShownRow, { name, type }: ShownColumn): string {
    return this.#state.problems.get(cellKey(row.id, name))?.text ?? cellText(type, row[name]);
  }

  /** Null for every column. Own properties only: a column may be called `constructor`. */
  #noValues(): Values {
    return Object.fromEntries(this.#columns.map(({ name }) => [name, null]));
  }

  #takeReady(): ShownRow[] {
    const ready = readyRows(this.#state, this.#columns).filter(({ id }) => !this.#saving.has(id));
    for (const { id } of ready) this.#saving.add(id);
    return ready;
  }

  #write(updates: readonly RowUpdate[], fresh: readonly ShownRow[]): void {
    if (updates.length + fresh.length === 0) return;
    const inserted = fresh.map((row): RowCopy => ({ id: row.id, values: valuesOf(row, this.#columns) }));
    this.#inTurn(updates.length + fresh.length, async () => {
      const done = await this.#writer.perform({ ...noStep, updates, inserted });
      for (const { id } of fresh) this.#saving.delete(id);
      this.#set({ history: withStep(this.#state.history, done) });
    });
  }

  #again(take: typeof undoStep, stepOf: typeof inverse): void {
    this.#inTurn(0, async () => {
      const taken = take(this.#state.history);
      if (taken === null) return;
      this.#set({ history: taken.history });
      await this.#writer.perform(stepOf(taken.step));
    });
  }

  /** One after the other, because each write names the versions that the previous one created. */
  #inTurn(rows: number, work: () => Promise<void>): void {
    this.#set({ writing: this.#state.writing + rows });
    this.#turn = this.#turn.then(work, work).finally(() => this.#set({ writing: this.#state.writing - rows }));
  }
}
