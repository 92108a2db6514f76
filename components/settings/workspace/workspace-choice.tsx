"use client";

import { Button } from "@mantine/core";
import { useChange } from "#components/api/use-api.ts";
import { finishDeletions } from "#components/deletion/pending-deletion.ts";
import styles from "#components/settings/settings-section.module.css";
import type { ShownWorkspace } from "#lib/contract/accounts/workspaces.ts";

/** The user's workspaces, with a button to switch to each. */
export function WorkspaceChoice({ all }: { readonly all: readonly ShownWorkspace[] }) {
  const change = useChange({
    run: async (api, id: string) => {
      await finishDeletions();
      return await api.call("switchWorkspace", { params: { id } });
    },
    stale: [],
    failed: "The workspace was not switched.",
    // All cached data belongs to the previous workspace.
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
