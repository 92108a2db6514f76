"use client";
import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";

/** An answer that came with the page. */
export interface PageAnswer {
  readonly queryKey: QueryKey;
  readonly data: unknown;
  /** By the server's clock. */
  readonly updatedAt: number;
}

interface PageAnswersProps {
  readonly answers: readonly PageAnswer[];
  readonly children: ReactNode;
}

/**
 * Puts the answers that came with the page into the cache of queries. TanStack's `HydrationBoundary` does more, believes
 * the server's clock, and takes 1.5 kB more of each of these pages.
 */
export function PageAnswers({ answers, children }: PageAnswersProps) {
  const queries = useQueryClient();
  // Before the first render, which needs them. Answers that replace others wait until the page is shown: another page may
  // still show the older ones.
  const late = useMemo(() => cacheNewAnswers(queries, answers, Date.now()), [queries, answers]);
  useEffect(() => {
    for (const { queryKey, data, updatedAt } of late) {
      if ((queries.getQueryState(queryKey)?.dataUpdatedAt ?? 0) < updatedAt)
        queries.setQueryData(queryKey, data, { updatedAt });
    }
  }, [queries, late]);
  return children;
}

/**
 * Puts in the answers to queries that have none, and returns the others. None is from the future: a server's clock that
 * is ahead of the browser's would keep its answers fresh until the browser's clock gets there.
 */
export function cacheNewAnswers(queries: QueryClient, answers: readonly PageAnswer[], now: number): PageAnswer[] {
  const own = answers.map((answer) => ({ ...answer, updatedAt: Math.min(answer.updatedAt, now) }));
  return own.filter(({ queryKey, data, updatedAt }) => {
    if (queries.getQueryData(queryKey) !== undefined) return true;
    queries.setQueryData(queryKey, data, { updatedAt });
    return false;
  });
}
