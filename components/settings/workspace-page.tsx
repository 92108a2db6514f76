"use client";

import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useChange } from "#components/api/use-change.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { TableSkeleton } from "#components/page/table-skeleton.tsx";
import type { ShownWorkspace } from "#lib/contract/workspaces.ts";
import { SettingsRow } from "./settings-row.tsx";
import styles from "./settings-section.module.css";

/** The page of the workspace: its name, the others that one belongs to, and the way out. */
export function WorkspacePage() {
  const api = useApi();
  const workspaces = useQuery({
    queryKey: ["workspaces"],
    queryFn: ({ signal }) => api.call("listWorkspaces", { signal }),
  });
  const current = workspaces.data?.find((workspace) => workspace.current);
  return (
    <>
      <PageHeader title="Workspace" facts={current && `Tier ${current.tier}`} />
      {workspaces.isPending && <TableSkeleton heads={["Name"]} widths={[160]} rows={2} />}
      {workspaces.isError && workspaces.data === undefined && (
        <FailureNotice
          what="The workspace could not be loaded"
          error={workspaces.error}
          onRetry={() => void workspaces.refetch()}
        />
      )}
      {current && (
        <>
          <SettingsRow title="Name" text="What members see above the navigation.">
            <NameForm key={current.id} workspace={current} />
          </SettingsRow>
          <SettingsRow title="Your workspaces" text="You work in one at a time.">
            <Workspaces all={workspaces.data ?? []} />
          </SettingsRow>
          <SettingsRow title="Leave" text="What you made stays. Only an invitation leads back.">
            <Leave workspace={current} />
          </SettingsRow>
        </>
      )}
    </>
  );
}

function NameForm({ workspace }: { readonly workspace: ShownWorkspace }) {
  const router = useRouter();
  const [name, setName] = useState(workspace.name);
  const rename = useChange({
    run: (api, given: string) => api.call("updateWorkspace", { params: { id: workspace.id }, body: { name: given } }),
    stale: ["workspaces"],
    done: "The workspace is renamed.",
    onDone: () => router.refresh(),
  });
  const problems = fieldProblems(rename.error, (field) => field === "name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name);
  };
  return (
    <form onSubmit={submit} className={styles.fields} noValidate>
      <TextInput
        aria-label="Name of the workspace"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name ?? problems.rest}
      />
      <div>
        <GuardedButton
          scope="members:write"
          type="submit"
          variant="default"
          loading={rename.isPending}
          disabled={name.trim() === workspace.name}
        >
          Save the name
        </GuardedButton>
      </div>
    </form>
  );
}

function Workspaces({ all }: { readonly all: readonly ShownWorkspace[] }) {
  const change = useChange({
    run: (api, id: string) => api.call("switchWorkspace", { params: { id } }),
    stale: [],
    failed: "You are where you were.",
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
            <span className={styles.muted}>you are here</span>
          ) : (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`Work in ${workspace.name}`}
              onClick={() => change.mutate(workspace.id)}
            >
              Work there
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Leave({ workspace }: { readonly workspace: ShownWorkspace }) {
  const [asked, setAsked] = useState(false);
  const leave = useChange({
    run: (api, id: string) => api.call("leaveWorkspace", { params: { id } }),
    stale: [],
    failed: "You are still a member.",
    onDone: () => window.location.assign("/flows"),
  });
  return (
    <>
      <Button variant="default" color="red" onClick={() => setAsked(true)}>
        Leave {workspace.name}
      </Button>
      <ConfirmDialog
        title={`Leave ${workspace.name}`}
        confirm="Leave the workspace"
        keep="Stay"
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => leave.mutate(workspace.id)}
      >
        You do not see its flows and runs any more. What you made stays with the others.
      </ConfirmDialog>
    </>
  );
}
