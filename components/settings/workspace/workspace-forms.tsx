"use client";

import { NumberInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useApi } from "#components/api/use-api.ts";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { SettingForm } from "#components/settings/settings-row.tsx";
import type { ShownWorkspace } from "#lib/contract/accounts/workspaces.ts";
import { usageQuery } from "./usage-query.ts";

export function NameForm({ workspace: { id, name: saved } }: { readonly workspace: ShownWorkspace }) {
  const router = useRouter();
  const { form, change, problem } = useApiForm({
    initialValues: { name: saved },
    run: (api, body) => api.call("updateWorkspace", { params: { id }, body }),
    stale: ["workspaces"],
    done: "Workspace renamed.",
    onDone: () => router.refresh(),
  });
  return (
    <SettingForm scope="members:write" change={change} submit="Save name" isSame={form.values.name.trim() === saved}>
      <TextInput aria-label="Workspace name" {...form.getInputProps("name")} error={form.errors.name ?? problem} />
    </SettingForm>
  );
}

/** How many days runs are kept; empty for the service's default. */
export function RetentionForm({ workspace: { id, retentionDays } }: { readonly workspace: ShownWorkspace }) {
  const service = useQuery(usageQuery(useApi())).data?.retentionDays;
  const { form, change, problem } = useApiForm({
    initialValues: { retentionDays: (retentionDays ?? "") as number | string },
    run: (api, given) =>
      api.call("updateWorkspace", { params: { id }, body: { retentionDays: daysOf(given.retentionDays) } }),
    stale: ["workspaces"],
    done: ({ retentionDays: days }) =>
      days === null ? "Runs are kept for the server's default." : `Runs are kept for ${daysInWords(days)}.`,
  });
  return (
    <SettingForm
      scope="members:write"
      change={change}
      submit="Save"
      isSame={daysOf(form.values.retentionDays) === retentionDays}
    >
      <NumberInput
        aria-label="Days to keep runs"
        placeholder={service === null || service === undefined ? "Forever" : daysInWords(service)}
        suffix=" days"
        {...form.getInputProps("retentionDays")}
        min={1}
        allowNegative={false}
        max={36_500}
        allowDecimal={false}
        error={form.errors.retentionDays ?? problem}
      />
    </SettingForm>
  );
}

function daysOf(given: number | string): number | null {
  return given === "" ? null : Number(given);
}

function daysInWords(days: number): string {
  return days === 1 ? "a day" : `${days} days`;
}
