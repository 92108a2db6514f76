"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { type Api, useApi } from "#components/api/use-api.ts";
import type { ListQuery } from "#components/list/list-states.tsx";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { showToast } from "#components/toast/toast.ts";
import { ApiError } from "#lib/contract/client.ts";

/** A deletion that can still be undone. */
interface PendingDeletion {
  /** The deleted ids: lists hide them from now on. */
  readonly id: string;
  /** The toast, shown while it can be undone. */
  readonly message: string;
  /** Deletes permanently. Never rejects: it reports its own failures. */
  readonly run: () => Promise<void>;
}

interface Waiting {
  readonly settle: () => Promise<void>;
  readonly undo: () => void;
}

/** Pending deletions, oldest first. */
const waiting = new Map<string, Waiting>();
const listeners = new Set<() => void>();
let going: ReadonlySet<string> = new Set();

/** The ids that are shown as deleted. */
const pendingIds = (): ReadonlySet<string> => going;

function watchPending(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Deletes when the toast goes away unless undone before; immediately when the page is left or closed. Nothing waits
 * for the response then, so `run` must send a request that outlives the page.
 */
function deleteLater({ id, message, run }: PendingDeletion): void {
  if (going.has(id)) return;
  set(new Set([...going, id]));
  const forget = () => set(new Set([...going].filter((other) => other !== id)));
  const settle = async () => {
    if (!waiting.delete(id)) return;
    await run();
    forget();
  };
  const takeBack = () => {
    if (waiting.delete(id)) forget();
  };
  // Without the toast, it cannot be undone.
  const shown = showToast({ message, undo: takeBack, onGone: () => void settle() });
  const undo = () => {
    takeBack();
    void shown.then((hide) => hide());
  };
  watchPage();
  waiting.set(id, { settle, undo });
  shown.catch(settle);
}

/** Completes pending deletions, before the signed-in account or the workspace changes. */
export async function finishDeletions(): Promise<void> {
  await Promise.all([...waiting.values()].map(({ settle }) => settle()));
}

let isWatching = false;

/**
 * Completes all when the page is left or frozen, as phones do in the background: it may never resume. Ctrl Z undoes
 * the last one, unless a text field or the canvas handles it.
 */
function watchPage(): void {
  if (isWatching) return;
  isWatching = true;
  window.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    const last = [...waiting.values()].at(-1);
    if (!isUndo || last === undefined || event.defaultPrevented || isWriting(event.target)) return;
    event.preventDefault();
    last.undo();
  });
  window.addEventListener("pagehide", () => void finishDeletions());
  document.addEventListener("freeze", () => void finishDeletions());
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function set(next: ReadonlySet<string>): void {
  going = next;
  for (const listener of listeners) listener();
}

interface Deletion {
  readonly id: string;
  /** "Order intake is deleted." */
  readonly message: string;
  /** Must be sent with `keepalive`, so that it outlives the page. */
  readonly run: (api: Api) => Promise<unknown>;
  /** Key prefixes of the queries that it makes stale. */
  readonly stale: readonly string[];
  /** Shown with the reason on failure: "The flow was not deleted." */
  readonly failed: string;
}

/** Deletes with a chance to undo; see `putOff`. The component that asked may be unmounted by then. */
export function useDeletion(): (deletion: Deletion) => void {
  const api = useApi();
  const queries = useQueryClient();
  return ({ id, message, run, stale, failed }) =>
    deleteLater({
      id,
      message,
      run: async () => {
        try {
          await run(api);
        } catch (error) {
          // Someone else already deleted it.
          if (!(error instanceof ApiError && error.status === 404)) {
            const { why, todo } = explainFailure(error);
            void showToast({ message: `${failed} ${why} ${todo}`.trim(), tone: "failed" });
          }
        }
        await Promise.all(stale.map((key) => queries.invalidateQueries({ queryKey: [key] })));
      },
    });
}

const none: ReadonlySet<string> = new Set();

/** A list's page without pending deletions. */
export function useRemaining<Item extends { readonly id: string }>(query: ListQuery<Item>): ListQuery<Item> {
  const going = useSyncExternalStore(watchPending, pendingIds, () => none);
  const { data, error, isError, isPending, refetch } = query;
  if (data === undefined || going.size === 0) return query;
  const { items, pagination } = data;
  const remaining = items.filter(({ id }) => !going.has(id));
  const total = pagination.total - (items.length - remaining.length);
  return { data: { items: remaining, pagination: { ...pagination, total } }, error, isError, isPending, refetch };
}
