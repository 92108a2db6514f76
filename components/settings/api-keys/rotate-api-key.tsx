"use client";

import { NativeSelect, Text } from "@mantine/core";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { SecretOnce } from "#components/dialog/secret-once.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import type { ShownApiKey } from "./api-key-list.tsx";

const graces = [
  { value: "0", label: "Immediately: the key has leaked" },
  { value: "3600", label: "In an hour" },
  { value: "86400", label: "In a day" },
  { value: "604800", label: "In a week" },
];

interface RotateApiKeyProps {
  readonly apiKey: ShownApiKey;
  readonly onClose: () => void;
}

/** Gives a key a new secret; the old one stays valid for a grace period. */
export function RotateApiKey({ apiKey, onClose }: RotateApiKeyProps) {
  const {
    form,
    change: rotate,
    problem,
  } = useApiForm({
    initialValues: { graceSeconds: "0" },
    run: (api, { graceSeconds }) =>
      api.call("rotateApiKey", { params: { id: apiKey.id }, body: { graceSeconds: Number(graceSeconds) } }),
    stale: ["api-keys"],
  });
  if (rotate.data !== undefined) {
    return (
      <SecretOnce
        title={`The new secret of ${apiKey.name}`}
        text={`Copy it now: it is not shown again. ${form.values.graceSeconds === "0" ? "The old one no longer works." : "The old one works until its grace period ends."}`}
        secret={rotate.data.key}
        copyLabel="Copy key"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      submit="Rotate key"
      change={rotate}
      problem={problem && `The key was not rotated. ${problem}`}
      onClose={onClose}
    >
      <Text size="sm">
        The key gets a new secret and keeps its name, access and expiry. Choose how long your programs have to switch.
      </Text>
      <NativeSelect
        data-autofocus
        label="The old secret stops working"
        data={graces}
        {...form.getInputProps("graceSeconds")}
      />
    </FormDialog>
  );
}
