// Saves steps, and updates the shown rows: refused changes are reverted.
import type { Api } from "#components/api/use-api.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import type { ShownColumn, ShownRow } from "#components/tables/table-queries.ts";
import { cellText, isSame } from "#components/tables/text/cell-values.ts";
import { type RowCopy, type RowUpdate, renamed, type Step, type Values } from "./edit-history.ts";
import { type Conflict, cellKey, type GridState, movedProblems } from "./grid-state.ts";
import type { RowLoader } from "./row-loader.ts";
import { isUnsaved, patched, rowsWith, unsavedRow, withAdded, without } from "./row-pages.ts";
import { type Outcome, sendInserts, sendUpdates } from "./send-rows.ts";

interface RowWriterOptions {
  readonly api: Api;
  readonly tableId: string;
  readonly store: { readonly state: GridState; readonly set: (change: Partial<GridState>) => void };
  readonly loader: RowLoader;
  readonly onFailure: (message: string) => void;
  readonly columns: () => readonly ShownColumn[];
}

/** How often rows that others keep changing are read again. */
const attemptsMax = 4;
const deletedAtOnce = 1_000;

export class RowWriter {
  readonly #of: RowWriterOptions;
  /** New ids by previous id. */
  readonly #ids = new Map<string, string>();

  constructor(options: RowWriterOptions) {
    this.#of = options;
  }

  /** Saves a step, and returns the part of it that was saved. Never throws. */
  async perform(step: Step): Promise<Step> {
    try {
      const deleted = await this.#delete(step.deleted);
      const updates = await this.#update(step.updates);
      return { deleted, updates, inserted: await this.#insert(step.inserted) };
    } catch (error) {
      this.#refuse(
        step.updates.map(() => ({ kind: "failed", error })),
        step.updates.map((update) => ({ ...update, id: this.idOf(update.id) })),
        "changed",
      );
      if (step.updates.length === 0) this.#reportFailure("The change was not saved.", error);
      return { deleted: [], updates: [], inserted: [] };
    }
  }

  /** A row's id now: a saved or restored row has a new one. */
  idOf(id: string): string {
    const now = this.#ids.get(id);
    return now === undefined ? id : this.idOf(now);
  }

  #reportFailure(action: string, error: unknown): void {
    const { why, todo } = explainFailure(error);
    this.#of.onFailure(`${action} ${why} ${todo}`.trim());
  }

  #patch(patches: ReadonlyMap<string, Readonly<Record<string, unknown>>>): void {
    const { state, set } = this.#of.store;
    set({ rows: patched(state.rows, patches) });
  }

  async #delete(rows: readonly RowCopy[]): Promise<RowCopy[]> {
    const { api, tableId, store } = this.#of;
    const named = rows.map((row) => ({ ...row, id: this.idOf(row.id) })).filter(({ id }) => !isUnsaved(id));
    store.set({ rows: without(store.state.rows, new Set([...named, ...rows].map(({ id }) => id))) });
    const done: RowCopy[] = [];
    for (let from = 0; from < named.length; from += deletedAtOnce) {
      const part = named.slice(from, from + deletedAtOnce);
      try {
        await api.call("writeRows", { params: { id: tableId }, body: { delete: part.map(({ id }) => id) } });
        done.push(...part);
      } catch (error) {
        const left = named.slice(from);
        this.#reportFailure(`${left.length === 1 ? "The row was" : `${left.length} rows were`} not deleted.`, error);
        const back = await this.#of.loader.read(left.map(({ id }) => id));
        store.set({ rows: withAdded(store.state.rows, back) });
        break;
      }
    }
    return done;
  }

  async #insert(copies: readonly RowCopy[]): Promise<RowCopy[]> {
    const { api, tableId, store } = this.#of;
    if (copies.length === 0) return [];
    // A restored row gets a new id. An unsaved row that was deleted here meanwhile is not inserted.
    const rows = copies.map(({ id, values }) => (isUnsaved(id) ? { id, values } : { id: unsavedRow({}).id, values }));
    const here = new Set(store.state.rows.added.map(({ id }) => id));
    const back = rows.filter(({ id }, index) => id !== copies[index]?.id && !here.has(id));
    const none = Object.fromEntries(this.#of.columns().map(({ name }) => [name, null]));
    const shown = back.map(({ id, values }) => ({ ...none, ...values, id, version: 0, createdAt: "", updatedAt: "" }));
    if (shown.length > 0) store.set({ rows: withAdded(store.state.rows, shown) });
    const outcomes = await sendInserts(api, tableId, rows);
    const ids = new Map<string, string>();
    const repeated = new Map<string, string>();
    const patches = new Map<string, Readonly<Record<string, unknown>>>();
    const done: RowCopy[] = [];
    outcomes.forEach((outcome, index) => {
      const [copy, row] = [copies[index], rows[index]];
      if (outcome.kind !== "written" || copy === undefined || row === undefined) return;
      ids.set(row.id, outcome.id);
      if (copy.id !== row.id) repeated.set(copy.id, outcome.id);
      patches.set(row.id, { id: outcome.id, version: outcome.version });
      done.push({ id: outcome.id, values: copy.values });
    });
    for (const [before, now] of [...ids, ...repeated]) this.#ids.set(before, now);
    const { rows: pages, problems, history } = store.state;
    store.set({
      // After a refetch, the pages may already contain them.
      rows: patched(without(pages, new Set(ids.values())), patches),
      problems: movedProblems(problems, ids),
      history: renamed(history, new Map([...ids, ...repeated])),
    });
    this.#refuse(
      outcomes,
      rows.map(({ id, values }) => ({ id, after: values, before: values })),
      "saved",
    );
    return done;
  }

  async #update(updates: readonly RowUpdate[]): Promise<RowUpdate[]> {
    const named = updates.map((update) => ({ ...update, id: this.idOf(update.id) }));
    // A row that was never saved.
    let left = named.filter(({ id }) => !isUnsaved(id));
    this.#patch(new Map(left.map(({ id, after }) => [id, after])));
    const done: RowUpdate[] = [];
    for (let attempt = 0; left.length > 0 && attempt < attemptsMax; attempt += 1) {
      const stale = await this.#sendUpdates(left, done);
      left = await this.#reload(stale);
    }
    if (left.length > 0) this.#of.onFailure("Others keep changing the rows: not all of your changes were saved.");
    return done;
  }

  /** Returns the rows that someone else changed meanwhile. */
  async #sendUpdates(updates: readonly RowUpdate[], done: RowUpdate[]): Promise<RowUpdate[]> {
    const { api, tableId, store, loader } = this.#of;
    const here = rowsWith(store.state.rows, new Set(updates.map(({ id }) => id)));
    const versions = new Map(here.map(({ id, version }) => [id, version]));
    const away = updates.filter(({ id }) => !versions.has(id));
    for (const { id, version } of await loader.read(away.map(({ id }) => id))) versions.set(id, version);
    const sent = updates.map(({ id, after }) => ({ id, version: versions.get(id) ?? 0, values: after }));
    const outcomes = await sendUpdates(api, tableId, sent);
    const patches = new Map<string, Readonly<Record<string, unknown>>>();
    outcomes.forEach((outcome, index) => {
      const update = updates[index];
      if (outcome.kind !== "written" || update === undefined) return;
      patches.set(outcome.id, { ...update.after, version: outcome.version });
      done.push(update);
    });
    this.#patch(patches);
    this.#refuse(outcomes, updates, "changed");
    return updates.filter((_, index) => outcomes[index]?.kind === "stale");
  }

  /** Reads rows that were changed elsewhere; returns those whose changes do not overlap with the changes here. */
  async #reload(updates: readonly RowUpdate[]): Promise<RowUpdate[]> {
    if (updates.length === 0) return [];
    const { store, loader, onFailure } = this.#of;
    const now = new Map((await loader.read(updates.map(({ id }) => id))).map((row) => [row.id, row]));
    const deleted = updates.filter(({ id }) => !now.has(id));
    if (deleted.length > 0) {
      store.set({ rows: without(store.state.rows, new Set(deleted.map(({ id }) => id))) });
      onFailure(`${deleted.length === 1 ? "The row was" : `${deleted.length} rows were`} deleted by someone else.`);
    }
    const conflicts: Conflict[] = [];
    const patches = new Map<string, ShownRow>();
    const left = updates.filter((update) => {
      const row = now.get(update.id);
      if (row === undefined) return false;
      const isCompatible = Object.keys(update.after).every(
        (name) => isSame(row[name], update.before[name]) || isSame(row[name], update.after[name]),
      );
      patches.set(row.id, isCompatible ? ({ ...row, ...update.after } as ShownRow) : row);
      if (!isCompatible) conflicts.push({ id: row.id, mine: update.after, theirs: row });
      return isCompatible;
    });
    this.#patch(patches);
    const others = store.state.conflicts.filter(({ id }) => !conflicts.some((conflict) => conflict.id === id));
    store.set({ conflicts: [...others, ...conflicts] });
    return left;
  }

  /** Marks refused cells, which keep the typed text, and reverts the other changes to their rows. */
  #refuse(outcomes: readonly Outcome[], updates: readonly RowUpdate[], done: "changed" | "saved"): void {
    const { store, columns } = this.#of;
    const problems = new Map(store.state.problems);
    const patches = new Map<string, Values>();
    const failed: unknown[] = [];
    outcomes.forEach((outcome, index) => {
      const update = updates[index];
      if (update === undefined || outcome.kind === "written" || outcome.kind === "stale") return;
      patches.set(update.id, update.before);
      if (outcome.kind === "failed") failed.push(outcome.error);
      // Typed text is not lost. New rows stay unchanged.
      const unsent = isUnsaved(update.id)
        ? []
        : Object.keys(update.after).map((name) => [name, "was not saved"] as const);
      for (const [name, message] of outcome.kind === "failed" ? unsent : Object.entries(outcome.cells)) {
        const column = columns().find((candidate) => candidate.name === name) ?? columns()[0];
        if (column === undefined) continue;
        const text = cellText(column.type, update.after[column.name]);
        problems.set(cellKey(update.id, column.name), { text, message });
      }
    });
    this.#patch(patches);
    store.set({ problems });
    if (failed.length > 0)
      this.#reportFailure(
        `${failed.length === 1 ? "A row was" : `${failed.length} rows were`} not ${done}.`,
        failed[0],
      );
  }
}
