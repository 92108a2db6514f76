"use client";

import { NativeSelect } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useAccess } from "#components/api/use-access.ts";
import { useChange } from "#components/api/use-change.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import styles from "#components/settings/settings-section.module.css";
import type { ShownWorkspace } from "#lib/contract/workspaces.ts";

const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** The time zone in which every member sees times; without one, each sees their browser's. */
export function TimezoneChoice({ workspace: { id, timezone } }: { readonly workspace: ShownWorkspace }) {
  const router = useRouter();
  const refusal = useAccess().refusal("members:write");
  const save = useChange({
    run: (api, wanted: string | null) => api.call("updateWorkspace", { params: { id }, body: { timezone: wanted } }),
    stale: ["workspaces"],
    done: (_, wanted) =>
      wanted === null ? "Everybody sees times in their own zone." : `Times are those of ${wanted}.`,
    onDone: () => router.refresh(),
  });
  const problems = fieldProblems(save.error, (field) => field === "timezone");
  const value = save.isPending ? save.variables : timezone;
  const known = value === null || zones.includes(value) ? zones : [value, ...zones];
  return (
    <div className={styles.fields}>
      <NativeSelect
        aria-label="Time zone"
        data={[{ value: "", label: "Everybody's own" }, ...known]}
        value={value ?? ""}
        disabled={refusal !== null || save.isPending}
        description={refusal}
        onChange={(event) => save.mutate(event.currentTarget.value || null)}
        error={problems.fields.timezone ?? problems.rest}
      />
    </div>
  );
}
