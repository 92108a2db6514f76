"use client";

import { TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useChange } from "#components/api/use-change.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import styles from "#components/settings/settings-section.module.css";
import type { ShownWorkspace } from "#lib/contract/workspaces.ts";

export function NameForm({ workspace }: { readonly workspace: ShownWorkspace }) {
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
