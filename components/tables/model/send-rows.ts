// Writes rows through the bulk endpoint in parts, and reports each row's outcome. A part is accepted or refused as a
// whole: refused rows are taken out, and the rest is sent again.
import type { Api } from "#components/api/use-api.ts";
import { ApiError } from "#lib/contract/client.ts";
import type { Values } from "./edit-history.ts";

/** A row's outcome. */
export type Outcome =
  | { readonly kind: "written"; readonly id: string; readonly version: number }
  /** Problems by column. */
  | { readonly kind: "refused"; readonly cells: Readonly<Record<string, string>> }
  /** Someone else changed or deleted it. */
  | { readonly kind: "stale" }
  | { readonly kind: "failed"; readonly error: unknown };

export interface SentUpdate {
  readonly id: string;
  readonly version: number;
  readonly values: Values;
}

/** The limits of a request in rows and characters; the API accepts 1,000 rows and 2 MiB. */
const part = { rows: 1_000, characters: 700_000 } as const;
/** How often the rest of a part is sent again, and a part that is too large is halved. */
const triesMax = 24;

export async function sendUpdates(
  api: Api,
  tableId: string,
  updates: readonly SentUpdate[],
  onPart?: () => void,
): Promise<Outcome[]> {
  const [only] = updates;
  if (only !== undefined && updates.length === 1) return [await sendOne(api, tableId, only)];
  return await inParts(updates, "update", onPart, async (items) => {
    const update = items.map(({ id, version, values }) => ({ id, version, row: { ...values } }));
    await api.call("writeRows", { params: { id: tableId }, body: { update } });
    return items.map(({ id, version }) => ({ kind: "written", id, version: version + 1 }));
  });
}

async function sendOne(api: Api, tableId: string, { id, version, values }: SentUpdate): Promise<Outcome> {
  try {
    const { version: now } = await api.call("updateRow", {
      params: { id: tableId, rowId: id },
      body: { ...values },
      headers: { "if-match": `"${version}"` },
    });
    return { kind: "written", id, version: now };
  } catch (error) {
    if (isStale(error) || (error instanceof ApiError && error.status === 404)) return { kind: "stale" };
    const cells =
      error instanceof ApiError ? cellsOf(error, (name) => (Object.hasOwn(values, name) ? name : undefined)) : {};
    return Object.keys(cells).length > 0 ? { kind: "refused", cells } : { kind: "failed", error };
  }
}

export async function sendInserts(
  api: Api,
  tableId: string,
  rows: readonly { readonly values: Values }[],
  onPart?: () => void,
): Promise<Outcome[]> {
  return await inParts(rows, "insert", onPart, async (items) => {
    const insert = items.map(({ values }) => ({ ...values }));
    const { inserted } = await api.call("writeRows", { params: { id: tableId }, body: { insert } });
    return inserted.map((id) => ({ kind: "written", id, version: 1 }));
  });
}

type Send<Item> = (items: readonly Item[]) => Promise<Outcome[]>;

async function inParts<Item extends { readonly values: Values }>(
  items: readonly Item[],
  field: "insert" | "update",
  onPart: (() => void) | undefined,
  send: Send<Item>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < items.length; ) {
    let [to, characters] = [from, 0];
    while (to < items.length && to - from < part.rows) {
      characters += JSON.stringify(items[to]?.values).length;
      if (to > from && characters > part.characters) break;
      to += 1;
    }
    outcomes.push(...(await sendPart(items.slice(from, to), field, send, { tries: triesMax })));
    from = to;
    onPart?.();
  }
  return outcomes;
}

async function sendPart<Item>(
  items: readonly Item[],
  field: "insert" | "update",
  send: Send<Item>,
  left: { tries: number },
): Promise<Outcome[]> {
  if (items.length === 0) return [];
  try {
    left.tries -= 1;
    return await send(items);
  } catch (error) {
    const failed = items.map((): Outcome => ({ kind: "failed", error }));
    if (!(error instanceof ApiError) || left.tries <= 0) return failed;
    if (isStale(error)) return items.map(() => ({ kind: "stale" }));
    const refused = refusedIn(error, field);
    if (refused.size > 0) {
      const rest = await sendPart(
        items.filter((_, index) => !refused.has(index)),
        field,
        send,
        left,
      );
      let next = 0;
      return items.map((_, index) => refused.get(index) ?? (rest[next++] as Outcome));
    }
    if (!("rows" in error.details) || items.length === 1) return failed;
    const half = Math.ceil(items.length / 2);
    const first = await sendPart(items.slice(0, half), field, send, left);
    return [...first, ...(await sendPart(items.slice(half), field, send, left))];
  }
}

function isStale(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (
    // A column may have the same name: then the problem's message names the field.
    typeof error.details.currentVersion === "number" ||
    Object.keys(error.details).some((path) => /^update\[\d+\]\.id$/.test(path))
  );
}

/** The problems of a part's rows, by position: the API says `insert[3].email`, `update[0].row.email`. */
function refusedIn(error: ApiError, field: "insert" | "update"): Map<number, Outcome> {
  const refused = new Map<number, { kind: "refused"; cells: Record<string, string> }>();
  for (const [path, message] of Object.entries(error.details)) {
    const found = /^(insert|update)\[(\d+)\](?:\.row)?(?:\.([\s\S]+))?$/.exec(path);
    if (found === null || found[1] !== field) continue;
    const at = Number(found[2]);
    const row = refused.get(at) ?? { kind: "refused", cells: {} };
    row.cells[found[3] ?? ""] = String(message);
    refused.set(at, row);
  }
  return refused;
}

function cellsOf(error: ApiError, columnOf: (name: string) => string | undefined): Record<string, string> {
  const cells = Object.entries(error.details).flatMap(([path, message]) => {
    const column = columnOf(path);
    return column === undefined ? [] : [[column, String(message)] as const];
  });
  return Object.fromEntries(cells);
}
