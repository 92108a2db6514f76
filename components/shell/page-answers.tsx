"use client";
import { type DehydratedState, HydrationBoundary } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";

interface PageAnswersProps {
  readonly state: DehydratedState;
  readonly children: ReactNode;
}

/** Puts the data that came with the page into the cache of queries. */
export function PageAnswers({ state, children }: PageAnswersProps) {
  const own = useMemo(() => inOwnTime(state, Date.now()), [state]);
  return <HydrationBoundary state={own}>{children}</HydrationBoundary>;
}

/**
 * The same data, none of it from the future: a server's clock that is ahead of the browser's would keep it fresh until
 * the browser's clock gets there.
 */
export function inOwnTime(state: DehydratedState, now: number): DehydratedState {
  const queries = state.queries.map((query) => ({
    ...query,
    state: { ...query.state, dataUpdatedAt: Math.min(query.state.dataUpdatedAt, now) },
  }));
  return { ...state, queries };
}
