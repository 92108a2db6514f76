"use client";

import { useRef, useState } from "react";
import type { GridState } from "#components/tables/model/grid-state.ts";
import { countOf, rowAt } from "#components/tables/model/row-pages.ts";
import type { TableModel } from "#components/tables/model/table-model.ts";
import type { ShownColumn, ShownRow } from "#components/tables/table-queries.ts";
import { pasteMax, readTsv, writeTsv } from "#components/tables/text/tsv.ts";

/** A cell by row and column, counted from 0. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

interface Editing extends Place {
  readonly text: string;
  /** The edited row: rows above it may go meanwhile. */
  readonly of: ShownRow;
}

interface GridOptions {
  readonly model: TableModel;
  readonly state: GridState;
  readonly columns: readonly ShownColumn[];
  /** Why nothing can be edited; null if it can. */
  readonly refusal: string | null;
  readonly onFailure: (message: string) => void;
}

const within = (value: number, last: number) => Math.max(0, Math.min(value, last));

/** The selected cells, the edited one, the ticked rows, and the actions on them. */
export function useGrid({ model, state, columns, refusal, onFailure }: GridOptions) {
  const [activeAt, setActive] = useState<Place>({ row: 0, column: 0 });
  const [anchorAt, setAnchor] = useState<Place>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<Editing | null>(null);
  const [ticked, setTicked] = useState<ReadonlyMap<string, ShownRow>>(new Map());
  const lastTick = useRef(0);
  const count = countOf(state.rows);
  const nearest = ({ row, column }: Place, rows: number): Place => ({
    row: within(row, rows - 1),
    column: within(column, columns.length - 1),
  });
  // Rows and columns may have been removed since.
  const [active, anchor] = [nearest(activeAt, count), nearest(anchorAt, count)];
  const range = {
    top: Math.min(active.row, anchor.row),
    bottom: Math.min(Math.max(active.row, anchor.row), count - 1),
    left: Math.min(active.column, anchor.column),
    right: Math.min(Math.max(active.column, anchor.column), columns.length - 1),
  };
  const mayChange = () => {
    if (refusal !== null) onFailure(refusal);
    return refusal === null;
  };
  const go = (to: Place, isExtending = false) => {
    // Uses the current rows: one may have been added since the last render.
    const place = nearest(to, countOf(model.state().rows));
    setActive(place);
    if (!isExtending) setAnchor(place);
  };
  /** Edits a cell, starting with its value or with the character just typed. */
  const edit = (place: Place, typed?: string) => {
    const [row, column] = [rowAt(state.rows, place.row), columns[place.column]];
    if (row === undefined || column === undefined || !mayChange()) return;
    go(place);
    setEditing({ ...place, of: row, text: typed ?? model.textOf(row, column) });
  };
  const commit = (text: string, by?: Place) => {
    if (editing === null) return;
    const [[row], column] = [model.now([editing.of]), columns[editing.column]];
    setEditing(null);
    if (row !== undefined && column !== undefined) model.edit([{ row, column, text }]);
    if (by) go({ row: editing.row + by.row, column: editing.column + by.column });
  };
  const cells = () => {
    const found: { row: ShownRow; column: ShownColumn }[] = [];
    for (let at = range.top; at <= range.bottom; at += 1) {
      const row = rowAt(state.rows, at);
      if (row !== undefined)
        for (const column of columns.slice(range.left, range.right + 1)) found.push({ row, column });
    }
    return found;
  };
  const fill = (text: string) => {
    if (mayChange()) model.edit(cells().map((cell) => ({ ...cell, text })));
  };
  const copy = (event: ClipboardEvent): boolean => {
    event.preventDefault();
    const chosen = columns.slice(range.left, range.right + 1);
    const [height, size] = [range.bottom - range.top + 1, chosen.length * (range.bottom - range.top + 1)];
    if (height > pasteMax.rows || size > pasteMax.cells) {
      onFailure(`A copy takes up to ${pasteMax.rows.toLocaleString("en")} rows. Export the table as CSV for more.`);
      return false;
    }
    const texts: string[][] = [];
    for (let at = range.top; at <= range.bottom; at += 1) {
      const row = rowAt(state.rows, at);
      if (row === undefined) {
        onFailure(
          "Some of these rows are no longer loaded. Scroll through them and copy again, or export the table as CSV.",
        );
        return false;
      }
      texts.push(chosen.map((column) => model.textOf(row, column)));
    }
    event.clipboardData?.setData("text/plain", writeTsv(texts));
    return true;
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    const block = readTsv(event.clipboardData?.getData("text/plain") ?? "");
    if (!mayChange() || block?.length === 0) return;
    if (block === null) {
      const limit = pasteMax.rows.toLocaleString("en");
      onFailure(`Nothing was pasted: a paste takes up to ${limit} rows, 100,000 cells and 4 MB. Import more as CSV.`);
      return;
    }
    const [only] = block.length === 1 && block[0]?.length === 1 ? block[0] : [];
    const isSingleCell = range.bottom <= range.top && range.left === range.right;
    if (only !== undefined && !isSingleCell) {
      fill(only);
      return;
    }
    const width = Math.max(...block.map((row) => row.length));
    const into = columns.slice(range.left, range.left + width);
    const from = Math.min(range.top, count);
    if (into.length < width) onFailure(`${width - into.length} of the pasted columns did not fit in the table.`);
    model.paste(from, into, block).then(
      () => {
        setAnchor({ row: from, column: range.left });
        setActive({ row: from + block.length - 1, column: range.left + into.length - 1 });
      },
      () => onFailure("Nothing was pasted: the rows to paste over could not be loaded."),
    );
  };
  const tick = (at: number, isRange: boolean) => {
    const row = rowAt(state.rows, at);
    if (row === undefined) return;
    const next = new Map(ticked);
    const from = isRange ? lastTick.current : at;
    const isOn = !next.has(row.id);
    for (let index = Math.min(from, at); index <= Math.max(from, at); index += 1) {
      const other = rowAt(state.rows, index);
      if (other === undefined) continue;
      if (isOn) next.set(other.id, other);
      else next.delete(other.id);
    }
    lastTick.current = at;
    setTicked(next);
  };
  const untick = () => setTicked(new Map());
  const deleteTicked = () => {
    if (!mayChange()) return;
    model.delete([...ticked.values()]);
    untick();
  };
  return {
    active,
    range,
    count,
    editing,
    ticked,
    mayChange,
    go,
    edit,
    commit,
    cancel: () => setEditing(null),
    fill,
    copy,
    paste,
    tick,
    untick,
    deleteTicked,
  };
}

export type Grid = ReturnType<typeof useGrid>;
