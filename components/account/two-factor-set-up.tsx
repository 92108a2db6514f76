"use client";
import { PasswordInput, Text, TextInput } from "@mantine/core";
import { encode } from "uqr";
import { useChange } from "#components/api/use-api.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { CodeBlock } from "#components/page/copy-button.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const pixels = 184;

/** A QR code, black on white in both colour schemes so that cameras can read it. */
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

/** Sets up an authenticator app: password, then QR code and a first code, then recovery codes. */
export default function TwoFactorSetUp({ hasPassword, onClose }: TwoFactorSetUpProps) {
  const start = useApiForm({
    initialValues: { password: "" },
    run: (api, body) => api.call("startTwoFactor", { body: hasPassword ? body : {} }),
    stale: [],
  });
  const confirm = useApiForm({
    initialValues: { code: "" },
    run: (api, body) => api.call("confirmTwoFactor", { body }),
    stale: [],
  });
  const done = useChange({ run: async () => null, stale: ["account", "members"], onDone: onClose });
  if (confirm.change.data !== undefined) {
    return <RecoveryCodes codes={confirm.change.data.recoveryCodes} onClose={() => done.mutate(undefined)} />;
  }
  if (start.change.data === undefined) {
    return (
      <FormDialog
        title="Set up an authenticator app"
        submit="Continue"
        change={start.change}
        problem={start.problem}
        onClose={onClose}
      >
        <Text size="sm">You need an authenticator app, such as Aegis, 1Password or Google Authenticator.</Text>
        {hasPassword && (
          <PasswordInput
            data-autofocus
            label="Your password"
            autoComplete="current-password"
            {...start.form.getInputProps("password")}
            visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          />
        )}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title="Set up an authenticator app"
      submit="Confirm"
      change={confirm.change}
      problem={confirm.problem}
      onClose={onClose}
    >
      <Text size="sm">Scan this with the app, or enter the secret by hand. Then enter the code it shows.</Text>
      <QrCode text={start.change.data.uri} label="QR code for the authenticator app" />
      <CodeBlock text={start.change.data.secret} label="Copy secret" />
      <TextInput
        autoFocus
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        {...confirm.form.getInputProps("code")}
      />
    </FormDialog>
  );
}
