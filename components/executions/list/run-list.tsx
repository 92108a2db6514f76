"use client";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/pending-deletion.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { type RunListItem, RunTable, runColumns } from "#components/executions/run-table.tsx";
import { DataTableSkeleton } from "#components/list/data-table.tsx";
import { ListPager, NothingFound, NothingLeft } from "#components/list/list-states.tsx";
import { useSteady } from "#components/list/use-steady.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton, LinkButton } from "#components/page/link-button.tsx";
import noticeStyles from "#components/page/notice.module.css";
import { PageHeader } from "#components/page/page-header.tsx";
import { useLazyOpen } from "#components/page/use-lazy-open.ts";
import { useUrlState } from "#components/page/use-url-state.ts";
import { type BulkAction, type BulkSelection, bulkActions, runsInWords } from "./bulk-actions.ts";
import styles from "./bulk-bar.module.css";
import { filterChange, isFiltered, type RunFilter, readFilter } from "./run-filter.ts";
import { RunFilters } from "./run-filters.tsx";
import { SavedFiltersButton } from "./saved-filters-button.tsx";
import type { SavedFiltersProps } from "./saved-filters-menu.tsx";

const BulkDialog = lazy(async () => ({ default: (await import("./bulk-dialog.tsx")).BulkDialog }));

interface BulkBarProps {
  readonly chosen: ReadonlySet<string>;
  /** The page that compares two runs of one flow; null unless two such are selected. */
  readonly comparison: string | null;
  readonly filter: RunFilter;
  /** Runs that match the filter. */
  readonly total: number;
  readonly onClear: () => void;
}

/** Actions on the selected runs, or on all that match the filter. Floats over the page without shifting it. */
function BulkBar({ chosen, comparison, filter, total, onClear }: BulkBarProps) {
  const [takesAll, setTakesAll] = useState(false);
  const [bulkAction, ask] = useState<BulkAction | null>(null);
  const isAll = takesAll && isFiltered(filter);
  if (chosen.size === 0) return null;
  const selection: BulkSelection = isAll ? { filter } : { executionIds: [...chosen] };
  const clear = () => {
    setTakesAll(false);
    onClear();
  };
  return (
    <section className={styles.bar} aria-label="Selected runs">
      <span className={styles.count}>{isAll ? `All ${runsInWords(total)}` : runsInWords(chosen.size)}</span>
      {!isAll && isFiltered(filter) && total > chosen.size && (
        <Button variant="subtle" onClick={() => setTakesAll(true)}>
          Select all {runsInWords(total)} that match
        </Button>
      )}
      {comparison !== null && !isAll && (
        <LinkButton href={comparison} isSecond>
          Compare
        </LinkButton>
      )}
      {bulkActions.map((action) => (
        <GuardedButton
          key={action.name}
          scope={action.scope}
          variant="default"
          {...(action.danger && { color: "red" })}
          onClick={() => ask(action)}
        >
          {action.label}
        </GuardedButton>
      ))}
      <Button variant="subtle" onClick={clear}>
        Clear
      </Button>
      {bulkAction !== null && (
        <Suspense>
          <BulkDialog action={bulkAction} selection={selection} onClose={() => ask(null)} onDone={clear} />
        </Suspense>
      )}
    </section>
  );
}

const load = () => import("./saved-filters-menu.tsx");
const SavedFiltersMenu = lazy(load);

/** The user's saved filters; the menu is loaded on demand. */
function SavedFilters(props: SavedFiltersProps) {
  const { isOpened, openerProps } = useLazyOpen(load);
  const closed = <SavedFiltersButton aria-haspopup="menu" {...openerProps} />;
  if (!isOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <SavedFiltersMenu {...props} />
    </Suspense>
  );
}

/** The page of all runs, updated live. */
export function RunList() {
  const { read, change } = useUrlState();
  const filter = readFilter(read);
  const sort = read("sort");
  const runs = useSteady(useRemaining(useQuery(runQueries.list(useApi(), { ...filter, page: read("page"), sort }))));
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const comparison = useComparison(runs.data?.items ?? [], chosen);
  const untouched = runs.data?.pagination.total === 0 && !isFiltered(filter);
  const isEmpty = runs.data?.items.length === 0 && !untouched;
  return (
    <>
      <PageHeader
        title="Runs"
        actions={!untouched && <SavedFilters filter={filter} onApply={(saved) => change(filterChange(saved))} />}
      />
      {!untouched && <RunFilters filter={filter} sort={sort} onChange={change} />}
      {runs.isPending && <DataTableSkeleton columns={runColumns(true)} hasTicks rows={8} />}
      {runs.isError && runs.data === undefined && (
        <FailureNotice title="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {untouched && <FirstRun />}
      {isEmpty && runs.data?.pagination.page === 1 && (
        <NothingFound what="No run matches these filters." onClear={() => change(filterChange())} />
      )}
      {isEmpty && runs.data && runs.data.pagination.page > 1 && <NothingLeft onFirst={() => change({ page: null })} />}
      {runs.data && runs.data.items.length > 0 && (
        <>
          <BulkBar
            chosen={chosen}
            comparison={comparison}
            filter={filter}
            total={runs.data.pagination.total}
            onClear={() => choose(new Set())}
          />
          <RunTable runs={runs.data.items} chosen={chosen} onChoose={choose} />
          <ListPager pagination={runs.data.pagination} onPage={(page) => change({ page: String(page) })} />
        </>
      )}
    </>
  );
}

/** The page that compares the two selected runs, the later with the earlier; they may be on different pages. */
function useComparison(runs: readonly RunListItem[], chosen: ReadonlySet<string>): string | null {
  const seen = useRef(new Map<string, RunListItem>());
  for (const run of runs) seen.current.set(run.id, run);
  const ticked = [...chosen].flatMap((id) => seen.current.get(id) ?? []);
  const [later, earlier] = ticked.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  if (chosen.size !== 2 || later === undefined || later.flowId !== earlier?.flowId) return null;
  return `/runs/${later.id}/compare?with=${earlier.id}`;
}

/** The runs page before anything has run. */
function FirstRun() {
  return (
    <div className={`${noticeStyles.notice} ${noticeStyles.empty}`}>
      <h2 className={noticeStyles.heading}>
        A run is one pass through a flow: what came in, what each node did, what went out.
      </h2>
      <p className={noticeStyles.text}>
        Open a flow and press Run, or call its trigger URL. The run appears here right away.
      </p>
      <LinkButton href="/flows">Choose a flow</LinkButton>
    </div>
  );
}
