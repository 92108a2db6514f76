"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { type Api, useApi } from "#components/api/use-api.ts";
import type { ListQuery } from "#components/list/list-states.tsx";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { showToast } from "#components/toast/toast.ts";
import { ApiError } from "#lib/contract/client.ts";

/** A deletion that can still be taken back. */
interface PendingDeletion {
  /** Of what is deleted: lists leave it out from now on. */
  readonly id: string;
  /** Told in a toast, for as long as it can be taken back. */
  readonly message: string;
  /** Does it for good. It never rejects: it tells itself what did not work. */
  readonly run: () => Promise<void>;
}

interface Waiting {
  readonly settle: () => Promise<void>;
  readonly undo: () => void;
}

/** What can be taken back, in the order in which it was deleted. */
const waiting = new Map<string, Waiting>();
const listeners = new Set<() => void>();
let going: ReadonlySet<string> = new Set();

/** The ids of what is shown as deleted. */
const pendingIds = (): ReadonlySet<string> => going;

function watchPending(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Deletes something as soon as its toast is gone, unless it is taken back before; at once when the page is left, also by
 * closing it. Nobody waits for an answer then, so `run` must send a request that outlives the page.
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
  // Without the toast, there is nothing to take it back by.
  const shown = showToast({ message, undo: takeBack, onGone: () => void settle() });
  const undo = () => {
    takeBack();
    void shown.then((hide) => hide());
  };
  watchPage();
  waiting.set(id, { settle, undo });
  shown.catch(settle);
}

/** Does for good what can still be taken back: before who is signed in, or where they work, changes. */
export async function finishDeletions(): Promise<void> {
  await Promise.all([...waiting.values()].map(({ settle }) => settle()));
}

let isWatching = false;

/**
 * Settles all when the page is left; one that is frozen, as phones do with those in the background, may never resume
 * again. Ctrl Z takes the last back, unless it is meant for what is being written or drawn.
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
  /** Of the queries that it makes stale, how their keys begin. */
  readonly stale: readonly string[];
  /** Told with the reason when it was not deleted: "The flow was not deleted." */
  readonly failed: string;
}

/** Deletes what can be taken back for a while; see `putOff`. What is shown afterwards need not be what asked for it. */
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
          // Somebody else was quicker.
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

/** A page of a list without what is being deleted. */
export function useRemaining<Item extends { readonly id: string }>(query: ListQuery<Item>): ListQuery<Item> {
  const going = useSyncExternalStore(watchPending, pendingIds, () => none);
  const { data, error, isError, isPending, refetch } = query;
  if (data === undefined || going.size === 0) return query;
  const { items, pagination } = data;
  const remaining = items.filter(({ id }) => !going.has(id));
  const total = pagination.total - (items.length - remaining.length);
  return { data: { items: remaining, pagination: { ...pagination, total } }, error, isError, isPending, refetch };
}
