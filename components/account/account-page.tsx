"use client";
import { Button, Group, Skeleton } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import { ProviderButtons, providerNames } from "#components/auth/provider-buttons.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { SettingsRow, SettingsSkeleton } from "#components/settings/settings-row.tsx";
import styles from "#components/settings/settings-section.module.css";
import type { ShownAccount } from "#lib/contract/accounts/account.ts";
import { SessionList } from "./session-list.tsx";

// What forms and dialogs share would make the page's scripts too large.
const loadForms = () => import("./account-forms.tsx");
const NameForm = lazy(async () => ({ default: (await loadForms()).NameForm }));
const PasswordForm = lazy(async () => ({ default: (await loadForms()).PasswordForm }));
const CodeDialog = lazy(() => import("./code-dialog.tsx"));
const TwoFactorSetUp = lazy(() => import("./two-factor-set-up.tsx"));

interface TwoFactorProps {
  readonly isOn: boolean;
  readonly hasPassword: boolean;
}

/** The authenticator app: set up, turned off, its recovery codes recreated. */
function TwoFactor({ isOn, hasPassword }: TwoFactorProps) {
  const [dialog, openDialog] = useState<"set-up" | "disable" | "renew" | null>(null);
  const close = () => openDialog(null);
  return (
    <>
      {isOn ? (
        <>
          <Group gap={6} className={styles.muted}>
            <IconShieldCheck size={16} aria-hidden="true" /> Enabled
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={() => openDialog("renew")}>
              New recovery codes
            </Button>
            <Button variant="default" color="red" onClick={() => openDialog("disable")}>
              Turn off
            </Button>
          </Group>
        </>
      ) : (
        <Button variant="default" onClick={() => openDialog("set-up")}>
          Set up an app
        </Button>
      )}
      {/* The app may be known to be on before its recovery codes are written down: its dialog stays open then. */}
      <Suspense>
        {dialog === "set-up" && <TwoFactorSetUp hasPassword={hasPassword} onClose={close} />}
        {(dialog === "renew" || dialog === "disable") && <CodeDialog key={dialog} action={dialog} onClose={close} />}
      </Suspense>
    </>
  );
}

interface AccountPageProps {
  /** The other ways to sign in that the operator set up. */
  readonly providers: readonly string[];
}

/** The account page: name, password, second factor, sessions. */
export function AccountPage({ providers }: AccountPageProps) {
  const api = useApi();
  useEffect(() => void loadForms(), []);
  const account = useQuery({ queryKey: ["account"], queryFn: ({ signal }) => api.call("readAccount", { signal }) });
  return (
    <>
      <PageHeader title="Account" facts={account.data?.email ?? "\u00a0"} />
      {account.isPending && <SettingsSkeleton rows={3} />}
      {account.isError && account.data === undefined && (
        <FailureNotice
          title="Your account could not be loaded"
          error={account.error}
          onRetry={() => void account.refetch()}
        />
      )}
      {account.data && <Rows account={account.data} providers={providers} />}
    </>
  );
}

function FieldsSkeleton({ rows }: { readonly rows: number }) {
  return (
    <Skeleton
      height={`calc(var(--control-height) * ${rows} + 12px * ${rows - 1})`}
      role="status"
      aria-label="Loading"
    />
  );
}

function Rows({ account, providers }: AccountPageProps & { readonly account: ShownAccount }) {
  return (
    <>
      <SettingsRow title="Name" text="How others in your workspaces see you.">
        <Suspense fallback={<FieldsSkeleton rows={2} />}>
          <NameForm name={account.name} />
        </Suspense>
      </SettingsRow>
      <SettingsRow title="Password" text="Changing it signs you out everywhere else.">
        <Suspense fallback={<FieldsSkeleton rows={account.hasPassword === true ? 4 : 3} />}>
          <PasswordForm hasPassword={account.hasPassword === true} />
        </Suspense>
      </SettingsRow>
      <SettingsRow
        title="Authenticator app"
        text="Sign-in also asks for a code from your phone, so a stolen password is not enough."
      >
        <TwoFactor isOn={account.twoFactor === true} hasPassword={account.hasPassword === true} />
      </SettingsRow>
      {(providers.length > 0 || account.providers.length > 0) && (
        <SettingsRow title="Connected accounts" text="Sign in with an account from another service.">
          <ProviderList offered={providers} connected={account.providers} />
        </SettingsRow>
      )}
      <SettingsRow
        title="Sessions"
        text="Where you are signed in. End any session you do not recognize, then change your password."
      >
        <SessionList />
      </SettingsRow>
    </>
  );
}

interface ProviderListProps {
  readonly offered: readonly string[];
  readonly connected: readonly string[];
}

/** GitHub and Google, each with a button to connect or disconnect it. */
function ProviderList({ offered, connected }: ProviderListProps) {
  const end = useChange({
    run: (api, id: string) => api.call("endProvider", { params: { id } }),
    stale: ["account"],
    done: "Account disconnected.",
    failed: "The account was not disconnected.",
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
