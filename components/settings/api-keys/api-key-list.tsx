"use client";

import { Tooltip } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import type { z } from "zod";
import { useApi } from "#components/api/use-api.ts";
import { type Column, DataTable, DataTableSkeleton } from "#components/page/data-table.tsx";
import { EmptyNotice } from "#components/page/empty-notice.tsx";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { ListStates } from "#components/page/list-states.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { apiKey } from "#lib/contract/api-keys.ts";
import { ApiKeyActions } from "./api-key-actions.tsx";
import { ApiKeyExpiry } from "./api-key-expiry.tsx";
import { accessInWords } from "./key-scopes.ts";
import { NewApiKey } from "./new-api-key.tsx";

export type ShownApiKey = z.output<typeof apiKey>;

const columns: readonly Column<ShownApiKey>[] = [
  { head: "Name", kind: "lead", width: 140, cell: (key) => <strong>{key.name}</strong> },
  { head: "Key", kind: "muted", width: 90, cell: (key) => <span className="mono">{key.prefix}…</span> },
  {
    head: "Access",
    width: 90,
    cell: (key) => (
      <Tooltip label={key.scopes.join(", ")} multiline maw={280}>
        <span>{accessInWords(key.scopes)}</span>
      </Tooltip>
    ),
  },
  {
    head: "Last used",
    kind: "muted",
    label: "Last used",
    cell: (key) => (key.lastUsedAt === null ? "never" : <RelativeTime at={key.lastUsedAt} />),
  },
  { head: "Expires", label: "Expires", cell: (key) => <ApiKeyExpiry expiresAt={key.expiresAt} /> },
  { head: "Made", kind: "muted", label: "Made", cell: (key) => <RelativeTime at={key.createdAt} /> },
  { head: "Actions", kind: "actions", width: 24, cell: (key) => <ApiKeyActions apiKey={key} /> },
];

/** The page of API keys: made, rotated and revoked here. */
export function ApiKeyList() {
  const api = useApi();
  const { read } = useUrlState();
  const page = read("page");
  const [making, setMaking] = useState(false);
  const keys = useQuery({
    queryKey: ["api-keys", page],
    queryFn: ({ signal }) => api.callList("listApiKeys", { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });
  const make = (
    <GuardedButton scope="keys:write" onClick={() => setMaking(true)}>
      New key
    </GuardedButton>
  );
  const isEmpty = keys.data?.pagination.total === 0;
  return (
    <>
      <PageHeader
        title="API keys"
        facts={
          <>
            What programs show to call the API for this workspace. <Link href="/reference">API reference</Link>
          </>
        }
        actions={!isEmpty && make}
      />
      <ListStates
        query={keys}
        failure="The API keys could not be loaded"
        skeleton={<DataTableSkeleton columns={columns} />}
        empty={
          <EmptyNotice
            title="A key lets a program call the API as this workspace."
            text="Give each program its own, with no more access than it needs: then one can be revoked without the others."
          >
            {make}
          </EmptyNotice>
        }
      >
        {(items) => <DataTable columns={columns} rows={items} keyOf={(key) => key.id} />}
      </ListStates>
      {making && <NewApiKey onClose={() => setMaking(false)} />}
    </>
  );
}
