"use client";
import { ActionIcon, Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconFilterOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import notice from "#components/page/notice.module.css";
import { useUrlState } from "#components/page/use-url-state.ts";
import type { Pagination } from "#lib/contract/client.ts";
import styles from "./list-pager.module.css";

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
    return <FailureNotice title={failure} error={query.error} onRetry={() => void query.refetch()} />;
  }
  const { items, pagination } = query.data;
  if (items.length === 0 && pagination.page === 1) return empty;
  if (items.length === 0) return <NothingLeft onFirst={() => change({ page: null })} />;
  return (
    <>
      {children(items)}
      {pagination.totalPages > 1 && (
        <ListPager pagination={pagination} onPage={(page) => change({ page: String(page) })} />
      )}
    </>
  );
}

/** A page beyond the list's last one. */
export function NothingLeft({ onFirst }: { readonly onFirst: () => void }) {
  return (
    <div className={notice.notice}>
      <p className={notice.text}>Nothing is left on this page.</p>
      <Button variant="default" onClick={onFirst}>
        Go to the first page
      </Button>
    </div>
  );
}

/** A list without matches for its filters. */
export function NothingFound({ what, onClear }: { readonly what: string; readonly onClear: () => void }) {
  return (
    <div className={notice.notice}>
      <IconFilterOff size={24} stroke={1.6} aria-hidden="true" className={notice.quiet} />
      <p className={notice.text}>{what}</p>
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    </div>
  );
}

const count = new Intl.NumberFormat("en");

interface ListPagerProps {
  readonly pagination: Pagination;
  readonly onPage: (page: number) => void;
}

/** A list's position, with buttons for the previous and next page. */
export function ListPager({ pagination, onPage }: ListPagerProps) {
  const { page, limit, total, hasNext, hasPrev } = pagination;
  const first = total === 0 ? 0 : (page - 1) * limit + 1;
  const last = Math.min(page * limit, total);
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span>
        {count.format(first)}–{count.format(last)} of {count.format(total)}
      </span>
      <ActionIcon
        variant="default"
        size="var(--control-height)"
        disabled={!hasPrev}
        onClick={() => onPage(page - 1)}
        aria-label="Previous page"
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="var(--control-height)"
        disabled={!hasNext}
        onClick={() => onPage(page + 1)}
        aria-label="Next page"
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </nav>
  );
}
