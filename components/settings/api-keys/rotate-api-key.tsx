"use client";

import { NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { SecretOnce } from "#components/dialog/secret-once.tsx";
import { explainFailure } from "#components/page/failure-notice.tsx";
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
  const [grace, setGrace] = useState("0");
  const rotate = useChange({
    run: (api) => api.call("rotateApiKey", { params: { id: apiKey.id }, body: { graceSeconds: Number(grace) } }),
    stale: ["api-keys"],
  });
  if (rotate.data !== undefined) {
    return (
      <SecretOnce
        title={`The new secret of ${apiKey.name}`}
        text={`Copy it now: it is not shown again. ${grace === "0" ? "The old one no longer works." : "The old one works until its grace period ends."}`}
        secret={rotate.data.key}
        copyLabel="Copy key"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      submit="Rotate the key"
      change={rotate}
      problem={rotate.error && `The key was not rotated. ${explainFailure(rotate.error).why}`}
      onClose={onClose}
    >
      <Text size="sm">
        The key gets a new secret and keeps its name, access and expiry. Choose how long your programs have to switch.
      </Text>
      <NativeSelect
        data-autofocus
        label="The old secret stops working"
        data={graces}
        value={grace}
        onChange={(event) => setGrace(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
