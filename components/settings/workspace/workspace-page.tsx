"use client";

import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { SettingsRow } from "../settings-row.tsx";
import { SettingsSkeleton } from "../settings-skeleton.tsx";
import { LeaveWorkspace } from "./leave-workspace.tsx";
import { NameForm } from "./name-form.tsx";
import { QuotaUse } from "./quota-use.tsx";
import { TimezoneChoice } from "./timezone-choice.tsx";
import { WorkspaceChoice } from "./workspace-choice.tsx";

// Its number field weighs more than the rest of the page.
const loadRetention = () => import("./retention-form.tsx");
const RetentionForm = lazy(loadRetention);

/** The page of the workspace: its name, what it uses and keeps, the others that one belongs to, and the way out. */
export function WorkspacePage() {
  const api = useApi();
  useEffect(() => void loadRetention(), []);
  const workspaces = useQuery({
    queryKey: ["workspaces"],
    queryFn: ({ signal }) => api.call("listWorkspaces", { signal }),
  });
  const current = workspaces.data?.find((workspace) => workspace.current);
  return (
    <>
      <PageHeader title="Workspace" facts={current === undefined ? "\u00a0" : `Tier ${current.tier}`} />
      {workspaces.isPending && <SettingsSkeleton rows={4} />}
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
          <SettingsRow title="Requests" text="What API keys may ask for in an hour. Trigger URLs do not count.">
            <QuotaUse />
          </SettingsRow>
          <SettingsRow
            title="Runs are kept for"
            text="Older ones go with their data and logs. A flow's own setting comes before this one."
          >
            <Suspense fallback={<Skeleton height="calc(var(--control-height) * 2 + 12px)" />}>
              <RetentionForm key={current.retentionDays} workspace={current} />
            </Suspense>
          </SettingsRow>
          <SettingsRow title="Time zone" text="In which times are shown. A time says what it is in UTC, too.">
            <TimezoneChoice workspace={current} />
          </SettingsRow>
          <SettingsRow title="Your workspaces" text="You work in one at a time.">
            <WorkspaceChoice all={workspaces.data ?? []} />
          </SettingsRow>
          <SettingsRow title="Leave" text="What you made stays. Only an invitation leads back.">
            <LeaveWorkspace workspace={current} />
          </SettingsRow>
        </>
      )}
    </>
  );
}
