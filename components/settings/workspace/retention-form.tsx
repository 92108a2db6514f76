"use client";

import { NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { SettingForm } from "#components/settings/settings-row.tsx";
import type { ShownWorkspace } from "#lib/contract/accounts/workspaces.ts";
import { usageQuery } from "./usage-query.ts";

/** For how many days runs are kept; empty is as the service has it. */
export default function RetentionForm({ workspace: { id, retentionDays } }: { readonly workspace: ShownWorkspace }) {
  const [days, setDays] = useState<number | string>(retentionDays ?? "");
  const service = useQuery(usageQuery(useApi())).data?.retentionDays;
  const wanted = days === "" ? null : Number(days);
  const save = useChange({
    run: (api) => api.call("updateWorkspace", { params: { id }, body: { retentionDays: wanted } }),
    stale: ["workspaces"],
    done: wanted === null ? "Runs are kept for the service's default." : `Runs are kept for ${daysInWords(wanted)}.`,
  });
  const problems = fieldProblems(save.error, (field) => field === "retentionDays");
  return (
    <SettingForm change={save} submit="Save" isSame={wanted === retentionDays}>
      <NumberInput
        aria-label="Days to keep runs"
        placeholder={service === null || service === undefined ? "Forever" : daysInWords(service)}
        suffix=" days"
        value={days}
        onChange={setDays}
        min={1}
        max={36_500}
        allowDecimal={false}
        error={problems.fields.retentionDays ?? problems.rest}
      />
    </SettingForm>
  );
}

function daysInWords(days: number): string {
  return days === 1 ? "a day" : `${days} days`;
}
