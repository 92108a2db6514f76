"use client";
import { Button, NativeSelect, Progress, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useState } from "react";
import { useAccess, useApi, useChange } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FailureNotice, sayFailure } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { SettingsRow, SettingsSkeleton } from "#components/settings/settings-row.tsx";
import styles from "#components/settings/settings-section.module.css";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownUsage, ShownWorkspace } from "#lib/contract/accounts/workspaces.ts";
import { usageQuery } from "./usage-query.ts";
import { WorkspaceChoice } from "./workspace-choice.tsx";

const count = new Intl.NumberFormat("en");
/** From here on, a colour warns too. */
const nearlyAll = 0.8;

/** How many of the hourly requests the workspace's keys have used. */
function QuotaUse() {
  const usage = useQuery(usageQuery(useApi()));
  if (usage.data !== undefined) return <Use requests={usage.data.requests} />;
  if (!usage.isError) return <Skeleton height={40} />;
  return (
    <p role="alert" className={styles.problem}>
      Usage could not be loaded. {sayFailure(usage.error)}
    </p>
  );
}

function Use({ requests: { used, limit, resetAt } }: Pick<ShownUsage, "requests">) {
  if (limit === null) return <p className={styles.text}>This server does not limit requests.</p>;
  const share = Math.min(1, used / limit);
  const color = share >= 1 ? "red" : share >= nearlyAll ? "orange" : "mill";
  return (
    <div className={styles.fields}>
      <Progress value={share * 100} color={color} aria-label="Requests used this hour" />
      <p className={styles.text}>
        {count.format(used)} of {count.format(limit)} requests; the next hour begins <RelativeTime at={resetAt} />.
      </p>
    </div>
  );
}

const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** The time zone for all members; without one, each sees their browser's. */
function TimezoneChoice({ workspace: { id, timezone } }: { readonly workspace: ShownWorkspace }) {
  const router = useRouter();
  const refusal = useAccess().refusal("members:write", "change the time zone");
  const save = useChange({
    run: (api, zone: string | null) => api.call("updateWorkspace", { params: { id }, body: { timezone: zone } }),
    stale: ["workspaces"],
    done: (_, zone) => (zone === null ? "Everyone sees times in their own zone." : `Times are shown in ${zone}.`),
    onDone: () => router.refresh(),
  });
  const problems = fieldProblems(save.error, (field) => field === "timezone");
  const value = save.isPending ? save.variables : timezone;
  const known = value === null || zones.includes(value) ? zones : [value, ...zones];
  return (
    <div className={styles.fields}>
      <NativeSelect
        aria-label="Time zone"
        data={[{ value: "", label: "Each member's own" }, ...known]}
        value={value ?? ""}
        disabled={refusal !== null || save.isPending}
        description={refusal}
        onChange={(event) => save.mutate(event.currentTarget.value || null)}
        error={problems.fields.timezone ?? problems.rest}
      />
    </div>
  );
}

// What they share is larger than the rest of the page's code.
const loadForms = () => import("./workspace-forms.tsx");
const NameForm = lazy(async () => ({ default: (await loadForms()).NameForm }));
const RetentionForm = lazy(async () => ({ default: (await loadForms()).RetentionForm }));
const formSkeleton = <Skeleton height="calc(var(--control-height) * 2 + 12px)" />;

/** The workspace page: name, usage, retention, the user's other workspaces, and leaving. */
export function WorkspacePage() {
  const api = useApi();
  useEffect(() => void loadForms(), []);
  const workspaces = useQuery({
    queryKey: ["workspaces"],
    queryFn: ({ signal }) => api.call("listWorkspaces", { signal }),
  });
  const current = workspaces.data?.find((workspace) => workspace.current);
  return (
    <>
      <PageHeader
        title="Workspace"
        facts={
          current === undefined ? "\u00a0" : `${current.tier.charAt(0).toUpperCase()}${current.tier.slice(1)} tier`
        }
      />
      {workspaces.isPending && <SettingsSkeleton rows={4} />}
      {workspaces.isError && workspaces.data === undefined && (
        <FailureNotice
          title="The workspace could not be loaded"
          error={workspaces.error}
          onRetry={() => void workspaces.refetch()}
        />
      )}
      {current && (
        <>
          <SettingsRow title="Name" text="What members see above the navigation.">
            <Suspense fallback={formSkeleton}>
              <NameForm key={current.id} workspace={current} />
            </Suspense>
          </SettingsRow>
          <SettingsRow
            title="Requests"
            text="How many requests API keys can send per hour. Calls to trigger URLs do not count."
          >
            <QuotaUse />
          </SettingsRow>
          <SettingsRow
            title="Runs are kept for"
            text="Older runs are deleted with their data and logs. A flow's own setting takes precedence."
          >
            <Suspense fallback={formSkeleton}>
              <RetentionForm key={current.retentionDays} workspace={current} />
            </Suspense>
          </SettingsRow>
          <SettingsRow title="Time zone" text="The zone that times are shown in. Hover over a time to see it in UTC.">
            <TimezoneChoice workspace={current} />
          </SettingsRow>
          <SettingsRow title="Your workspaces" text="You work in one at a time.">
            <WorkspaceChoice all={workspaces.data ?? []} />
          </SettingsRow>
          <SettingsRow title="Leave" text="What you created stays. You need an invitation to come back.">
            <LeaveWorkspace workspace={current} />
          </SettingsRow>
        </>
      )}
    </>
  );
}

function LeaveWorkspace({ workspace }: { readonly workspace: ShownWorkspace }) {
  const [isAsking, setAsking] = useState(false);
  const leave = useChange({
    run: (api, id: string) => api.call("leaveWorkspace", { params: { id } }),
    stale: [],
    failed: "You are still a member.",
    onDone: () => window.location.assign("/flows"),
  });
  return (
    <>
      <Button variant="default" color="red" onClick={() => setAsking(true)}>
        Leave {workspace.name}
      </Button>
      <ConfirmDialog
        title={`Leave ${workspace.name}`}
        confirm="Leave workspace"
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => leave.mutate(workspace.id)}
      >
        You lose access to its flows and runs. What you created stays in the workspace.
      </ConfirmDialog>
    </>
  );
}
