"use client";

import { IconPencil, IconPlugConnected, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useAccess, useApi, useChange } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { credentialQueries, type ShownCredential } from "./credential-kinds.ts";

const CredentialForm = lazyPart(async () => ({ default: (await import("./credential-form.tsx")).CredentialForm }));

const CredentialTest = lazyPart(async () => ({ default: (await import("./credential-test.tsx")).CredentialTest }));

export function CredentialActions({ credential }: { readonly credential: ShownCredential }) {
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
