"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { lazy } from "react";
import type { z } from "zod";
import { useAccess } from "#components/api/use-access.ts";
import { useApi } from "#components/api/use-api.ts";
import type { Column } from "#components/page/data-table.tsx";
import { EmptyNotice } from "#components/page/empty-notice.tsx";
import { ListPage } from "#components/page/list-page.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { apiKey } from "#lib/contract/api-keys.ts";
import { ApiKeyActions } from "./api-key-actions.tsx";
import { ApiKeyExpiry } from "./api-key-expiry.tsx";
import { accessInWords } from "./key-scopes.ts";

const NewApiKey = lazy(async () => ({ default: (await import("./new-api-key.tsx")).NewApiKey }));

export type ShownApiKey = z.output<typeof apiKey>;

const columns: readonly Column<ShownApiKey>[] = [
  { head: "Name", kind: "lead", width: 140, cell: (key) => <strong>{key.name}</strong> },
  { head: "Key", kind: "muted", width: 90, cell: (key) => <span className="mono">{key.prefix}…</span> },
  {
    head: "Access",
    width: 90,
    cell: (key) => <span title={key.scopes.join(", ")}>{accessInWords(key.scopes)}</span>,
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

const title = "API keys";
const facts = (
  <>
    What programs show to call the API for this workspace. <Link href="/reference">API reference</Link>
  </>
);

/** The page of API keys: made, rotated and revoked here, by owners. */
export function ApiKeyList() {
  const refusal = useAccess().refusal("keys:write");
  if (refusal === null) return <Keys />;
  return (
    <>
      <PageHeader title={title} facts={facts} />
      <EmptyNotice title="API keys are for owners." text={refusal} />
    </>
  );
}

function Keys() {
  const api = useApi();
  const page = useUrlState().read("page");
  const keys = useQuery({
    queryKey: ["api-keys", page],
    queryFn: ({ signal }) => api.callList("listApiKeys", { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <ListPage
      title={title}
      facts={facts}
      query={keys}
      columns={columns}
      failure="The API keys could not be loaded"
      empty={{
        title: "A key lets a program call the API as this workspace.",
        text: "Give each program its own, with no more access than it needs: then one can be revoked without the others.",
      }}
      make={{ label: "New key", scope: "keys:write", form: (onClose) => <NewApiKey onClose={onClose} /> }}
    />
  );
}
