"use client";
import { Group } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import type { Scope } from "#lib/access.ts";
import { type Column, DataTable, DataTableSkeleton } from "./data-table.tsx";
import { EmptyNotice } from "./empty-notice.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type ListQuery, ListStates, NothingFound } from "./list-states.tsx";
import { useSteady } from "./use-steady.ts";

interface ListPageProps<Row> {
  readonly title: string;
  readonly facts: ReactNode;
  readonly query: ListQuery<Row>;
  readonly columns: readonly Column<Row>[];
  /** What is searched for, in the plural; missing for a list that has no search. */
  readonly search?: string;
  /** The message if loading fails: "The credentials could not be loaded". */
  readonly failure: string;
  /** What these items are for, shown if there are none. */
  readonly empty: {
    readonly title: string;
    readonly text: string;
    /** Beside the button: creates one to try. */
    readonly example?: ReactNode;
  };
  readonly make: {
    readonly label: string;
    readonly scope: Scope;
    readonly form: (onClose: () => void) => ReactNode;
  };
}

/** A page of items that are created on it: the list in each of its states, and the form. */
export function ListPage<Row extends { readonly id: string }>({ columns, make, search, ...page }: ListPageProps<Row>) {
  const [making, setMaking] = useState(false);
  const { read, change } = useUrlState();
  const query = useSteady(page.query);
  const searched = search === undefined ? undefined : read("search");
  const isEmpty = query.data?.pagination.total === 0 && searched === undefined;
  const button = (
    <GuardedButton scope={make.scope} onClick={() => setMaking(true)}>
      {make.label}
    </GuardedButton>
  );
  return (
    <>
      <PageHeader title={page.title} facts={page.facts} actions={!isEmpty && button} />
      {search !== undefined && !isEmpty && (
        <FilterBar search={{ label: `Search ${search}`, value: searched }} filters={[]} onChange={change} />
      )}
      <ListStates
        query={query}
        failure={page.failure}
        skeleton={<DataTableSkeleton columns={columns} />}
        empty={
          searched === undefined ? (
            <EmptyNotice {...page.empty}>
              {page.empty.example === undefined ? (
                button
              ) : (
                <Group gap="xs" justify="center">
                  {button}
                  {page.empty.example}
                </Group>
              )}
            </EmptyNotice>
          ) : (
            <NothingFound what={`No ${search} match your search.`} onClear={() => change({ search: null })} />
          )
        }
      >
        {(items) => <DataTable columns={columns} rows={items} keyOf={({ id }) => id} />}
      </ListStates>
      {making && <Suspense>{make.form(() => setMaking(false))}</Suspense>}
    </>
  );
}
