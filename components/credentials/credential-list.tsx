"use client";
import { IconPencil, IconPlugConnected, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { useAccess, useApi, useChange } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { FlowUses } from "#components/flow-uses/flow-uses.tsx";
import type { Column } from "#components/list/data-table.tsx";
import { ListPage } from "#components/list/list-page.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { credentialQueries, kindLabel, type ShownCredential, type ShownCredentialUse } from "./credential-kinds.ts";

function CredentialUses({ credential }: { readonly credential: ShownCredential }) {
  const uses = useQuery({
    ...credentialQueries.uses(useApi(), credential.id),
    select: (found) =>
      found.map(({ flowId, flowName, draft, ...live }) => ({
        ...{ flowId, flowName, live: namesOf(live) },
        ...(draft && { draft: namesOf(draft) }),
      })),
  });
  return <FlowUses uses={uses} />;
}

function namesOf({ byTrigger, nodes }: Pick<ShownCredentialUse, "byTrigger" | "nodes">): string {
  return [...(byTrigger ? ["the trigger"] : []), ...nodes.map(({ name }) => name)].join(", ");
}

const CredentialForm = lazyPart(async () => ({ default: (await import("./credential-form.tsx")).CredentialForm }));

const ConnectionState = lazyPart(() => import("./connection-state.tsx"), { missing: ({ label }) => label });

const columns: readonly Column<ShownCredential>[] = [
  { head: "Name", kind: "lead", width: 160, cell: ({ name }) => <strong className="mono">{name}</strong> },
  {
    head: "Type",
    width: 130,
    cell: (credential) =>
      credential.connection === undefined ? kindLabel(credential.type) : <ConnectedKind credential={credential} />,
  },
  {
    head: "Allowed hosts",
    kind: "muted",
    label: "Allowed hosts",
    width: 140,
    cell: ({ allowedHosts }) => (allowedHosts === undefined ? "any host" : allowedHosts.join(", ")),
  },
  { head: "Used in", label: "Used in", width: 110, cell: (credential) => <CredentialUses credential={credential} /> },
  { head: "Changed", kind: "muted", label: "Changed", cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  { head: "Actions", kind: "actions", width: 24, cell: (credential) => <CredentialActions credential={credential} /> },
];

function ConnectedKind({ credential }: { readonly credential: ShownCredential }) {
  const label = kindLabel(credential.type);
  return (
    <Suspense fallback={label}>
      <ConnectionState credential={credential} label={label} />
    </Suspense>
  );
}

/** The credentials page: what flows present to other services. */
export function CredentialList() {
  const { read, change } = useUrlState();
  const page = read("page");
  const [returned, name] = [read("connection"), read("credential")];
  useEffect(() => {
    if (returned === undefined) return;
    void import("./return-notice.ts").then(({ showReturn }) => showReturn(returned, name, change));
  }, [returned, name, change]);
  return (
    <ListPage
      title="Credentials"
      facts="Secrets that flows use by name, stored encrypted and hidden in every run."
      query={useQuery(credentialQueries.list(useApi(), page, read("search")))}
      columns={columns}
      search="credentials"
      failure="The credentials could not be loaded"
      empty={{
        title: "A credential keeps a secret out of your flows.",
        text: "Store a token once and refer to it as $credentials.stripe.token. Its value never appears in a run, a log or an error.",
      }}
      make={{
        label: "New credential",
        scope: "credentials:write",
        form: (onClose) => <CredentialForm onClose={onClose} />,
      }}
    />
  );
}

const CredentialTest = lazyPart(async () => ({ default: (await import("./credential-test.tsx")).CredentialTest }));

function CredentialActions({ credential }: { readonly credential: ShownCredential }) {
  const [dialog, openDialog] = useState<"edit" | "test" | "delete" | null>(null);
  const close = () => openDialog(null);
  const refusal = useAccess().refusal("credentials:write");
  const uses = useQuery(credentialQueries.uses(useApi(), credential.id));
  const remove = useChange({
    run: (api, id: string) => api.call("deleteCredential", { params: { id } }),
    stale: ["credentials"],
    done: `${credential.name} was deleted.`,
    failed: "The credential was not deleted.",
  });
  const connect = useChange({
    run: (api, id: string) => api.call("connectCredential", { params: { id } }),
    stale: [],
    onDone: ({ url }) => window.location.assign(url),
    failed: "The connection could not be started.",
  });
  const { connection } = credential;
  return (
    <>
      <RowMenu
        label={`Actions for ${credential.name}`}
        note={refusal}
        entries={[
          ...(connection?.grant === "authorization_code"
            ? [
                {
                  label: connection.status === "not-connected" ? "Connect" : "Reconnect",
                  icon: IconPlugConnected,
                  onChoose: () => connect.mutate(credential.id),
                  disabled: refusal !== null,
                },
              ]
            : []),
          { label: "Edit", icon: IconPencil, onChoose: () => openDialog("edit"), disabled: refusal !== null },
          { label: "Test", icon: IconPlugConnected, onChoose: () => openDialog("test"), disabled: refusal !== null },
          {
            label: "Delete",
            icon: IconTrash,
            onChoose: () => openDialog("delete"),
            danger: true,
            disabled: refusal !== null,
          },
        ]}
      />
      {dialog === "edit" && (
        <Suspense>
          <CredentialForm credential={credential} onClose={close} />
        </Suspense>
      )}
      {dialog === "test" && (
        <Suspense>
          <CredentialTest credential={credential} onClose={close} />
        </Suspense>
      )}
      <ConfirmDialog
        title={`Delete ${credential.name}`}
        confirm="Delete credential"
        opened={dialog === "delete"}
        onClose={close}
        onConfirm={() => remove.mutate(credential.id)}
      >
        Its secret is deleted for good.{" "}
        {uses.data === undefined
          ? "Which flows use it is not known yet: their nodes will fail."
          : uses.data.length === 0
            ? "No flow uses it."
            : `Used in ${uses.data.map(({ flowName }) => flowName).join(", ")}: nodes that use it will fail, and triggers that check it will refuse every call.`}
      </ConfirmDialog>
    </>
  );
}
