"use client";

import { Button } from "@mantine/core";
import { useChange } from "#components/api/use-api.ts";
import { finishDeletions } from "#components/deletion/pending-deletion.ts";
import styles from "#components/settings/settings-section.module.css";
import type { ShownWorkspace } from "#lib/contract/accounts/workspaces.ts";

/** The workspaces that one belongs to, and the way into each. */
export function WorkspaceChoice({ all }: { readonly all: readonly ShownWorkspace[] }) {
  const change = useChange({
    run: async (api, id: string) => {
      await finishDeletions();
      return await api.call("switchWorkspace", { params: { id } });
    },
    stale: [],
    failed: "The workspace was not switched.",
    // Everything on every page is another workspace's now.
    onDone: () => window.location.assign("/flows"),
  });
  return (
    <ul className={styles.list}>
      {all.map((workspace) => (
        <li key={workspace.id} className={styles.item}>
          <span>
            {workspace.name} <span className={styles.muted}>· {workspace.role}</span>
          </span>
          {workspace.current ? (
            <span className={styles.muted}>current</span>
          ) : (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`Switch to ${workspace.name}`}
              onClick={() => change.mutate(workspace.id)}
            >
              Switch
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
