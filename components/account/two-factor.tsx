"use client";

import { Button, Group } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import styles from "#components/settings/settings-section.module.css";
import { CodeDialog } from "./code-dialog.tsx";

const TwoFactorSetUp = lazy(() => import("./two-factor-set-up.tsx"));

interface TwoFactorProps {
  readonly isOn: boolean;
  readonly hasPassword: boolean;
}

/** The authenticator app: begun with, given up, its recovery codes made anew. */
export function TwoFactor({ isOn, hasPassword }: TwoFactorProps) {
  const [asked, ask] = useState<"set-up" | "disable" | "renew" | null>(null);
  const close = () => ask(null);
  if (!isOn) {
    return (
      <>
        <Button variant="default" onClick={() => ask("set-up")}>
          Set up an app
        </Button>
        {asked === "set-up" && (
          <Suspense>
            <TwoFactorSetUp hasPassword={hasPassword} onClose={close} />
          </Suspense>
        )}
      </>
    );
  }
  return (
    <>
      <Group gap={6} className={styles.muted}>
        <IconShieldCheck size={16} aria-hidden="true" /> In use
      </Group>
      <Group gap="xs">
        <Button variant="default" onClick={() => ask("renew")}>
          New recovery codes
        </Button>
        <Button variant="default" color="red" onClick={() => ask("disable")}>
          Turn it off
        </Button>
      </Group>
      {asked === "renew" && <CodeDialog what="renew" onClose={close} />}
      {asked === "disable" && <CodeDialog what="disable" onClose={close} />}
    </>
  );
}
