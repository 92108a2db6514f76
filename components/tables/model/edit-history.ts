// The undo history of a table's rows, as data: what each step changed, and the previous values.

/** A row's values by column name. */
export type Values = Readonly<Record<string, unknown>>;

export interface RowUpdate {
  readonly id: string;
  readonly before: Values;
  readonly after: Values;
}

export interface RowCopy {
  readonly id: string;
  readonly values: Values;
}

/** One action of the user: an edit, a paste, rows added or deleted. */
export interface Step {
  readonly updates: readonly RowUpdate[];
  readonly inserted: readonly RowCopy[];
  readonly deleted: readonly RowCopy[];
}

export interface History {
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

export const noHistory: History = { past: [], future: [] };
export const noStep: Step = { updates: [], inserted: [], deleted: [] };

/** The limits of the history: steps, and rows in all of them. */
const stepsMax = 200;
const rowsMax = 20_000;

const rowsIn = ({ updates, inserted, deleted }: Step) => updates.length + inserted.length + deleted.length;

/** Adds a step. Undone steps can no longer be redone. */
export function withStep({ past }: History, step: Step): History {
  if (rowsIn(step) === 0) return { past, future: [] };
  return { past: recent([...past, step]), future: [] };
}

function recent(steps: readonly Step[]): Step[] {
  const result: Step[] = [];
  let rows = 0;
  for (const step of [...steps].reverse()) {
    rows += rowsIn(step);
    // The last step is kept whatever its size.
    if (result.length > 0 && (rows > rowsMax || result.length >= stepsMax)) break;
    result.push(step);
  }
  return result.reverse();
}

/** The inverse of a step. */
export function inverse({ updates, inserted, deleted }: Step): Step {
  const back = updates.map(({ id, before, after }) => ({ id, before: after, after: before }));
  return { updates: back, inserted: deleted, deleted: inserted };
}

/** Removes the last step, which is to be undone; null if there is none. */
export function undoStep({ past, future }: History): { step: Step; history: History } | null {
  const step = past.at(-1);
  return step === undefined ? null : { step, history: { past: past.slice(0, -1), future: [...future, step] } };
}

/** The step to redo; null if there is none. */
export function redoStep({ past, future }: History): { step: Step; history: History } | null {
  const step = future.at(-1);
  return step === undefined ? null : { step, history: { past: [...past, step], future: future.slice(0, -1) } };
}

/** The history with new row ids: a deleted row comes back as a new one. */
export function renamed({ past, future }: History, ids: ReadonlyMap<string, string>): History {
  if (ids.size === 0) return { past, future };
  const rename = <Row extends { readonly id: string }>(row: Row): Row => ({ ...row, id: ids.get(row.id) ?? row.id });
  const renameAll = ({ updates, inserted, deleted }: Step): Step => ({
    updates: updates.map(rename),
    inserted: inserted.map(rename),
    deleted: deleted.map(rename),
  });
  return { past: past.map(renameAll), future: future.map(renameAll) };
}
