"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { type Column, DataTable, DataTableSkeleton } from "#components/page/data-table.tsx";
import { EmptyNotice } from "#components/page/empty-notice.tsx";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { ListStates } from "#components/page/list-states.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { CredentialActions } from "./credential-actions.tsx";
import { CredentialForm } from "./credential-form.tsx";
import { kindLabel } from "./credential-kinds.ts";
import { credentialQueries, type ShownCredential } from "./credential-queries.ts";
import { CredentialUses } from "./credential-uses.tsx";

const columns: readonly Column<ShownCredential>[] = [
  { head: "Name", kind: "lead", width: 160, cell: ({ name }) => <strong className="mono">{name}</strong> },
  { head: "Type", width: 110, cell: ({ type }) => kindLabel(type) },
  {
    head: "Sent to",
    kind: "muted",
    label: "Sent to",
    width: 140,
    cell: ({ allowedHosts }) => (allowedHosts === undefined ? "any host" : allowedHosts.join(", ")),
  },
  { head: "Used in", label: "Used in", width: 110, cell: (one) => <CredentialUses credential={one} /> },
  { head: "Changed", kind: "muted", label: "Changed", cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  { head: "Actions", kind: "actions", width: 24, cell: (one) => <CredentialActions credential={one} /> },
];

/** The page of what flows show to others. */
export function CredentialList() {
  const { read } = useUrlState();
  const [making, setMaking] = useState(false);
  const credentials = useQuery(credentialQueries.list(useApi(), read("page")));
  const make = (
    <GuardedButton scope="credentials:write" onClick={() => setMaking(true)}>
      New credential
    </GuardedButton>
  );
  const isEmpty = credentials.data?.pagination.total === 0;
  return (
    <>
      <PageHeader
        title="Credentials"
        facts="Secrets that flows use by name. They are stored encrypted, and hidden in every run."
        actions={!isEmpty && make}
      />
      <ListStates
        query={credentials}
        failure="The credentials could not be loaded"
        skeleton={<DataTableSkeleton columns={columns} />}
        empty={
          <EmptyNotice
            title="A credential keeps a secret out of your flows."
            text="Store a token once; a node names it, as in $credentials.stripe.token, and its value never appears in a run, a log or an error."
          >
            {make}
          </EmptyNotice>
        }
      >
        {(items) => <DataTable columns={columns} rows={items} keyOf={({ id }) => id} />}
      </ListStates>
      {making && <CredentialForm onClose={() => setMaking(false)} />}
    </>
  );
}
