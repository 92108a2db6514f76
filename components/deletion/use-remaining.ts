"use client";

import { useSyncExternalStore } from "react";
import type { ListQuery } from "#components/page/list-states.tsx";
import { goingNow, watchGoing } from "./put-off.ts";

const none: ReadonlySet<string> = new Set();

/** A page of a list without what is being deleted. */
export function useRemaining<Item extends { readonly id: string }>(query: ListQuery<Item>): ListQuery<Item> {
  const going = useSyncExternalStore(watchGoing, goingNow, () => none);
  const { data, error, isError, isPending, refetch } = query;
  if (data === undefined || going.size === 0) return query;
  const { items, pagination } = data;
  const remaining = items.filter(({ id }) => !going.has(id));
  const total = pagination.total - (items.length - remaining.length);
  return { data: { items: remaining, pagination: { ...pagination, total } }, error, isError, isPending, refetch };
}
