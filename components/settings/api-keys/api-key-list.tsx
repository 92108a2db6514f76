"use client";
import { IconRotate, IconTrash } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { z } from "zod";
import { useAccess, useApi, useChange } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import type { Column } from "#components/list/data-table.tsx";
import { EmptyNotice } from "#components/list/empty-notice.tsx";
import { ListPage } from "#components/list/list-page.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { Link } from "#components/page/link.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime, useNow } from "#components/time/relative-time.tsx";
import { type Scope, scopes } from "#lib/access.ts";
import type { apiKey } from "#lib/contract/accounts/api-keys.ts";

/** Scopes by resource: `flows` has `read`, `write` and `execute`. */
export const scopesBySubject: readonly (readonly [string, readonly Scope[]])[] = [
  ...Map.groupBy(scopes, (scope) => scope.split(":")[0] ?? ""),
];

export const readingScopes: readonly Scope[] = scopes.filter((scope) => scope.endsWith(":read"));

/** A key's access, in a word or two. */
export function accessInWords(given: readonly string[]): string {
  if (scopes.every((scope) => given.includes(scope))) return "Full access";
  if (given.every((scope) => scope.endsWith(":read"))) return given.length === 1 ? (given[0] ?? "") : "Read only";
  return given.length <= 2 ? given.join(", ") : `${given.length} of ${scopes.length} scopes`;
}

const RotateApiKey = lazyPart(async () => ({ default: (await import("./rotate-api-key.tsx")).RotateApiKey }));

function ApiKeyActions({ apiKey }: { readonly apiKey: ShownApiKey }) {
  const [dialog, openDialog] = useState<"rotate" | "revoke" | null>(null);
  const close = () => openDialog(null);
  const revoke = useChange({
    run: (api, id: string) => api.call("revokeApiKey", { params: { id } }),
    stale: ["api-keys"],
    done: `${apiKey.name} was revoked. It no longer works.`,
    failed: "The key was not revoked.",
  });
  return (
    <>
      <RowMenu
        label={`Actions for ${apiKey.name}`}
        entries={[
          { label: "Rotate", icon: IconRotate, onChoose: () => openDialog("rotate") },
          { label: "Revoke", icon: IconTrash, onChoose: () => openDialog("revoke"), danger: true },
        ]}
      />
      {dialog === "rotate" && (
        <Suspense>
          <RotateApiKey apiKey={apiKey} onClose={close} />
        </Suspense>
      )}
      <ConfirmDialog
        title={`Revoke ${apiKey.name}`}
        confirm="Revoke key"
        opened={dialog === "revoke"}
        onClose={close}
        onConfirm={() => revoke.mutate(apiKey.id)}
      >
        Programs that use it are refused immediately, even with its old secret. This cannot be undone. If the key has
        leaked but is still needed, rotate it instead.
      </ConfirmDialog>
    </>
  );
}

const soonMs = 7 * 86_400_000;

/** When a key expires; marked if that is near or past. */
function ApiKeyExpiry({ expiresAt }: { readonly expiresAt: string | null }) {
  const now = useNow(60_000);
  if (expiresAt === null) return <span style={{ color: "var(--text-muted)" }}>never</span>;
  const left = Date.parse(expiresAt) - now;
  const color = left <= 0 ? "var(--status-failed)" : left < soonMs ? "var(--status-timeout)" : "var(--text-muted)";
  return (
    <span style={{ color }}>
      {left <= 0 && "expired "}
      <RelativeTime at={expiresAt} />
    </span>
  );
}

const NewApiKey = lazyPart(async () => ({ default: (await import("./new-api-key.tsx")).NewApiKey }));

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
  { head: "Created", kind: "muted", label: "Created", cell: (key) => <RelativeTime at={key.createdAt} /> },
  { head: "Actions", kind: "actions", width: 24, cell: (key) => <ApiKeyActions apiKey={key} /> },
];

const title = "API keys";
const facts = (
  <>
    Programs use them to call the API for this workspace. <Link href="/reference">API reference</Link>
  </>
);

/** The API keys page: owners create, rotate and revoke keys. */
export function ApiKeyList() {
  const refusal = useAccess().refusal("keys:write");
  if (refusal === null) return <Keys />;
  return (
    <>
      <PageHeader title={title} facts={facts} />
      <EmptyNotice title="Only owners can manage API keys." text={refusal} />
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
        text: "Give each program its own key with only the access it needs, so that you can revoke one without the others.",
      }}
      make={{ label: "New key", scope: "keys:write", form: (onClose) => <NewApiKey onClose={onClose} /> }}
    />
  );
}
