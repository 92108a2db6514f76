"use client";
import { PasswordInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { encode } from "uqr";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { CodeBlock } from "#components/page/copy-button.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const pixels = 184;

/** A QR code, drawn; black on white in both colour schemes, as cameras want it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg width={pixels} height={pixels} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

interface TwoFactorSetUpProps {
  readonly hasPassword: boolean;
  readonly onClose: () => void;
}

/** The steps to an authenticator app: the password, the QR code and a code of the app, the recovery codes. */
export default function TwoFactorSetUp({ hasPassword, onClose }: TwoFactorSetUpProps) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const start = useChange({
    run: (api) => api.call("startTwoFactor", { body: hasPassword ? { password } : {} }),
    stale: [],
  });
  const confirm = useChange({
    run: (api) => api.call("confirmTwoFactor", { body: { code } }),
    stale: [],
  });
  const done = useChange({ run: async () => null, stale: ["account", "members"], onDone: onClose });
  if (confirm.data !== undefined) {
    return <RecoveryCodes codes={confirm.data.recoveryCodes} onClose={() => done.mutate(undefined)} />;
  }
  if (start.data === undefined) {
    const problems = fieldProblems(start.error, (field) => field === "password");
    return (
      <FormDialog
        title="Set up an authenticator app"
        submit="Continue"
        change={start}
        problem={problems.rest}
        onClose={onClose}
      >
        <Text size="sm">You need an app that shows codes, such as Aegis, 1Password or Google Authenticator.</Text>
        {hasPassword && (
          <PasswordInput
            data-autofocus
            label="Your password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={problems.fields.password}
            visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          />
        )}
      </FormDialog>
    );
  }
  const problems = fieldProblems(confirm.error, (field) => field === "code");
  return (
    <FormDialog
      title="Set up an authenticator app"
      submit="Confirm"
      change={confirm}
      problem={problems.rest}
      onClose={onClose}
    >
      <Text size="sm">Scan this with the app, or enter the secret by hand. Then enter the code it shows.</Text>
      <QrCode text={start.data.uri} label="QR code for the authenticator app" />
      <CodeBlock text={start.data.secret} label="Copy secret" />
      <TextInput
        data-autofocus
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={problems.fields.code}
      />
    </FormDialog>
  );
}
