"use client";

import { TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useChange } from "#components/api/use-change.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { SettingForm } from "#components/settings/setting-form.tsx";
import type { ShownWorkspace } from "#lib/contract/workspaces.ts";

export function NameForm({ workspace }: { readonly workspace: ShownWorkspace }) {
  const router = useRouter();
  const [name, setName] = useState(workspace.name);
  const rename = useChange({
    run: (api) => api.call("updateWorkspace", { params: { id: workspace.id }, body: { name } }),
    stale: ["workspaces"],
    done: "The workspace is renamed.",
    onDone: () => router.refresh(),
  });
  const problems = fieldProblems(rename.error, (field) => field === "name");
  return (
    <SettingForm change={rename} submit="Save the name" isSame={name.trim() === workspace.name}>
      <TextInput
        aria-label="Name of the workspace"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name ?? problems.rest}
      />
    </SettingForm>
  );
}
