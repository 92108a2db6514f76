"use client";

import { Button } from "@mantine/core";
import { useChange } from "#components/api/use-change.ts";
import { ProviderButtons, providerNames } from "#components/auth/provider-buttons.tsx";
import styles from "#components/settings/settings-section.module.css";

interface ProviderListProps {
  readonly offered: readonly string[];
  readonly connected: readonly string[];
}

/** GitHub and Google: connected or to be connected. */
export function ProviderList({ offered, connected }: ProviderListProps) {
  const end = useChange({
    run: (api, id: string) => api.call("endProvider", { params: { id } }),
    stale: ["account"],
    done: "It is disconnected.",
    failed: "It was not disconnected.",
  });
  const open = offered.filter((provider) => !connected.includes(provider));
  return (
    <>
      {connected.length > 0 && (
        <ul className={styles.list}>
          {connected.map((provider) => (
            <li key={provider} className={styles.item}>
              {providerNames[provider]}
              <Button variant="subtle" size="compact-sm" onClick={() => end.mutate(provider)}>
                Disconnect
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ProviderButtons providers={open} next="/settings/account" verb="Connect" />
    </>
  );
}
