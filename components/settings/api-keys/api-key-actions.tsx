"use client";

import { IconRotate, IconTrash } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useChange } from "#components/api/use-change.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import type { ShownApiKey } from "./api-key-list.tsx";

const RotateApiKey = lazy(async () => ({ default: (await import("./rotate-api-key.tsx")).RotateApiKey }));

export function ApiKeyActions({ apiKey }: { readonly apiKey: ShownApiKey }) {
  const [asked, ask] = useState<"rotate" | "revoke" | null>(null);
  const close = () => ask(null);
  const revoke = useChange({
    run: (api, id: string) => api.call("revokeApiKey", { params: { id } }),
    stale: ["api-keys"],
    done: `${apiKey.name} was revoked: it is refused from now on.`,
    failed: "The key was not revoked.",
  });
  return (
    <>
      <RowMenu
        label={`Actions for ${apiKey.name}`}
        entries={[
          { label: "Rotate", icon: IconRotate, onChoose: () => ask("rotate") },
          { label: "Revoke", icon: IconTrash, onChoose: () => ask("revoke"), danger: true },
        ]}
      />
      {asked === "rotate" && (
        <Suspense>
          <RotateApiKey apiKey={apiKey} onClose={close} />
        </Suspense>
      )}
      <ConfirmDialog
        title={`Revoke ${apiKey.name}`}
        confirm="Revoke the key"
        keep="Keep it"
        opened={asked === "revoke"}
        onClose={close}
        onConfirm={() => revoke.mutate(apiKey.id)}
      >
        Programs that show it are refused from the next request on, with its old secret too. This cannot be taken back.
        If the key has leaked and is still needed, rotate it instead.
      </ConfirmDialog>
    </>
  );
}
