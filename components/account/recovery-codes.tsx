"use client";

import { SecretOnce } from "#components/dialog/secret-once.tsx";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows the recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <SecretOnce
      title="Your recovery codes"
      text="Keep them apart from your phone. Each works once in place of the app. They are not shown again."
      secret={codes.join("\n")}
      copyLabel="Copy codes"
      onClose={onClose}
    />
  );
}
