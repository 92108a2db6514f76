"use client";

import { Menu } from "@mantine/core";
import { IconRotate, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useChange } from "#components/api/use-change.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import type { ShownApiKey } from "./api-key-list.tsx";
import { RotateApiKey } from "./rotate-api-key.tsx";

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
      <RowMenu label={`Actions for ${apiKey.name}`}>
        <Menu.Item leftSection={<IconRotate size={16} aria-hidden="true" />} onClick={() => ask("rotate")}>
          Rotate
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden="true" />} onClick={() => ask("revoke")}>
          Revoke
        </Menu.Item>
      </RowMenu>
      {asked === "rotate" && <RotateApiKey apiKey={apiKey} onClose={close} />}
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
