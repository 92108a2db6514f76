"use client";
import { Button } from "@mantine/core";
import { IconFilterOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import styles from "#components/page/notice.module.css";
import { useUrlState } from "#components/page/use-url-state.ts";
import type { Pagination } from "#lib/contract/client.ts";
import { ListPager } from "./list-pager.tsx";

interface ListedPage<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

/** The query of a list's page. */
export interface ListQuery<Item> {
  readonly data: ListedPage<Item> | undefined;
  readonly error: Error | null;
  readonly isError: boolean;
  readonly isPending: boolean;
  readonly refetch: () => Promise<unknown>;
}

interface ListStatesProps<Item> {
  readonly query: ListQuery<Item>;
  /** The message if loading fails: "The credentials could not be loaded". */
  readonly failure: string;
  readonly skeleton: ReactNode;
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** The four states of a list, with its pages below it. */
export function ListStates<Item>({ query, failure, skeleton, empty, children }: ListStatesProps<Item>) {
  const { change } = useUrlState();
  if (query.data === undefined) {
    if (!query.isError) return skeleton;
    return <FailureNotice what={failure} error={query.error} onRetry={() => void query.refetch()} />;
  }
  const { items, pagination } = query.data;
  if (items.length === 0 && pagination.page === 1) return empty;
  return (
    <>
      {children(items)}
      {pagination.totalPages > 1 && (
        <ListPager pagination={pagination} onPage={(page) => change({ page: String(page) })} />
      )}
    </>
  );
}

/** A list without matches for its filters. */
export function NothingFound({ what, onClear }: { readonly what: string; readonly onClear: () => void }) {
  return (
    <div className={styles.notice}>
      <IconFilterOff size={24} stroke={1.6} aria-hidden="true" className={styles.quiet} />
      <p className={styles.text}>{what}</p>
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    </div>
  );
}
