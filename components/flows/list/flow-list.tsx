"use client";
import { Skeleton } from "@mantine/core";
import { IconStar } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/pending-deletion.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { DataTableSkeleton } from "#components/list/data-table.tsx";
import { FilterBar } from "#components/list/filter-bar.tsx";
import { ListPager, NothingFound, NothingLeft } from "#components/list/list-states.tsx";
import { useSteady } from "#components/list/use-steady.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton, LinkButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { type UrlChange, useUrlState } from "#components/page/use-url-state.ts";
import { flowListQuery } from "./flow-list-query.ts";
import { FlowTable, flowColumns } from "./flow-table.tsx";
import styles from "./tag-folders.module.css";

// Only a workspace without flows needs the example.
const FlowBulkBar = lazy(async () => ({ default: (await import("./flow-bulk-bar.tsx")).FlowBulkBar }));
const FirstFlow = lazy(async () => ({ default: (await import("./first-flow.tsx")).FirstFlow }));

const statuses = [
  { value: "active", label: "Live" },
  { value: "draft", label: "Draft" },
  { value: "inactive", label: "Off" },
];
const byActivity = { value: "activity-desc", label: "Last activity" };
const sorts = [
  { value: "createdAt-desc", label: "Newest first" },
  { value: "lastExecutedAt-desc", label: "Last run" },
  { value: "updatedAt-desc", label: "Last changed" },
  { value: "createdAt-asc", label: "Oldest first" },
  { value: "name-asc", label: "Name" },
];

interface FlowFiltersProps {
  readonly search: string | undefined;
  readonly status: string | undefined;
  readonly sort: string | undefined;
  readonly onChange: (change: UrlChange, replace?: boolean) => void;
}

function FlowFilters({ search, status, sort, onChange }: FlowFiltersProps) {
  return (
    <FilterBar
      search={{ label: "Search flows", value: search }}
      filters={[
        { name: "status", label: "Status", any: "Any status", options: statuses, value: status },
        // Search results are sorted by relevance unless another order is chosen.
        {
          name: "sort",
          label: "Order",
          any: search === undefined ? byActivity.label : "Best match first",
          options: search === undefined ? sorts : [byActivity, ...sorts],
          value: search === undefined && sort === byActivity.value ? undefined : sort,
        },
      ]}
      onChange={onChange}
    />
  );
}

/** The page of all flows. */
export function FlowList() {
  const { read, change } = useUrlState();
  const [search, status, sort, tag] = [read("search"), read("status"), read("sort"), read("tag")];
  const isStarred = read("favorite") === "true";
  const flows = useSteady(useRemaining(useQuery(flowQueries.list(useApi(), flowListQuery(read)))));
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  // From then on, because what it did can still be undone.
  const [hasChosen, setHasChosen] = useState(false);
  if (chosen.size > 0 && !hasChosen) setHasChosen(true);
  const filtered = search !== undefined || status !== undefined || tag !== undefined || isStarred;
  const untouched = flows.data?.pagination.total === 0 && !filtered;
  return (
    <>
      <PageHeader
        title="Flows"
        actions={
          <>
            <ImportFlow />
            <LinkButton href="/flows/new" isSecond={untouched} scope="flows:write">
              New flow
            </LinkButton>
          </>
        }
      />
      {!untouched && <FlowFilters search={search} status={status} sort={sort} onChange={change} />}
      {!untouched && <Folders chosen={tag} isStarred={isStarred} onChange={change} />}
      {flows.isPending && (
        <DataTableSkeleton
          columns={flowColumns(
            () => undefined,
            () => {},
          )}
          hasTicks
          rows={8}
        />
      )}
      {flows.isError && flows.data === undefined && (
        <FailureNotice title="The flows could not be loaded" error={flows.error} onRetry={() => void flows.refetch()} />
      )}
      {untouched && (
        <Suspense fallback={<Skeleton height={240} radius="lg" />}>
          <FirstFlow />
        </Suspense>
      )}
      {flows.data?.items.length === 0 &&
        !untouched &&
        (flows.data.pagination.page > 1 ? (
          <NothingLeft onFirst={() => change({ page: null })} />
        ) : (
          <NothingFound
            what={
              isStarred ? "No favorites yet. Click the star beside a flow to add it." : "No flows match your search."
            }
            onClear={() => change({ search: null, status: null, tag: null, favorite: null })}
          />
        ))}
      {flows.data && flows.data.items.length > 0 && (
        <>
          <FlowTable
            flows={flows.data.items}
            chosen={chosen}
            onChoose={choose}
            onTag={(only) => change({ tag: only })}
          />
          {hasChosen && (
            <Suspense>
              <FlowBulkBar
                flows={flows.data.items.filter(({ id }) => chosen.has(id))}
                onClear={() => choose(new Set())}
              />
            </Suspense>
          )}
          <ListPager pagination={flows.data.pagination} onPage={(page) => change({ page: String(page) })} />
        </>
      )}
    </>
  );
}

/** Creates a flow from a file: an export as JSON or YAML, a `POST /flows` body, or a workflow of n8n. */
function ImportFlow() {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const take = useChange({
    run: async (api, file: File) => {
      // Loaded on demand: it includes the contract's schemas, which would add half to the page's initial load.
      const { readFlowFile } = await import("#components/editor/gallery/read-flow-file.ts");
      return await api.call("importFlow", { body: await readFlowFile(file) });
    },
    stale: ["flows"],
    done: ({ name }) => `${name} was imported as a draft.`,
    failed: "The file was not imported.",
    onDone: ({ id, report }) => router.push(report === undefined ? `/flows/${id}` : `/flows/${id}?report`),
  });
  return (
    <>
      <GuardedButton
        scope="flows:write"
        variant="default"
        loading={take.isPending}
        onClick={() => input.current?.click()}
      >
        Import
      </GuardedButton>
      <input
        ref={input}
        type="file"
        accept="application/json,.json,.yaml,.yml"
        aria-label="Exported flow"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) take.mutate(file);
        }}
      />
    </>
  );
}

interface FoldersProps {
  readonly chosen: string | undefined;
  readonly isStarred: boolean;
  readonly onChange: (change: UrlChange) => void;
}

/** The user's favorites, and tags as folders: a flow is in each of its tags. */
function Folders({ chosen, isStarred, onChange }: FoldersProps) {
  const known = useQuery(flowQueries.tags(useApi()));
  const counts = new Map(known.data?.map(({ tag, flows }) => [tag, flows]));
  if (chosen !== undefined && !counts.has(chosen)) counts.set(chosen, 0);
  if (known.isPending) return <Skeleton height={28} width={240} radius={999} mb={12} />;
  const tags = [...counts].sort(([a], [b]) => a.localeCompare(b));
  const folder = (isPressed: boolean, change: UrlChange, content: ReactNode) => (
    <button type="button" className={styles.folder} aria-pressed={isPressed} onClick={() => onChange(change)}>
      {content}
    </button>
  );
  const tagged = (tag: string) => (chosen === tag ? null : tag);
  return (
    <ul className={styles.folders} aria-label="Favorites and tags">
      <li>{folder(chosen === undefined && !isStarred, { tag: null, favorite: null }, "All")}</li>
      <li>
        {folder(
          isStarred,
          { favorite: isStarred ? null : "true" },
          <span className={styles.starred}>
            <IconStar size={13} aria-hidden="true" /> Favorites
          </span>,
        )}
      </li>
      {tags.map(([tag, count]) => (
        <li key={tag}>
          {folder(
            chosen === tag,
            { tag: tagged(tag) },
            <>
              <bdi>{tag}</bdi> <span className={styles.count}>{count}</span>
            </>,
          )}
        </li>
      ))}
    </ul>
  );
}
