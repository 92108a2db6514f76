"use client";

import { SecretOnce } from "#components/dialog/secret-once.tsx";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** The recovery codes, the only time that they are told. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <SecretOnce
      title="Your recovery codes"
      text="Keep them where your phone is not: each stands in for the app once. They are not shown again."
      secret={codes.join("\n")}
      copyLabel="Copy the codes"
      onClose={onClose}
    />
  );
}
