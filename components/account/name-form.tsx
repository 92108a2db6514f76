"use client";

import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useChange } from "#components/api/use-change.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import styles from "#components/settings/settings-section.module.css";

export function NameForm({ name: saved }: { readonly name: string }) {
  const [name, setName] = useState(saved);
  const change = useChange({
    run: (api, name: string) => api.call("updateAccount", { body: { name } }),
    stale: ["account", "members"],
    done: "Your name is changed.",
  });
  const problems = fieldProblems(change.error, (field) => field === "name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(name);
  };
  return (
    <form onSubmit={submit} className={styles.fields} noValidate>
      <TextInput
        aria-label="Name"
        autoComplete="name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name ?? problems.rest}
      />
      <div>
        <Button type="submit" variant="default" loading={change.isPending} disabled={name.trim() === saved}>
          Save the name
        </Button>
      </div>
    </form>
  );
}
