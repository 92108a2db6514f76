"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { SettingsRow } from "#components/settings/settings-row.tsx";
import { SettingsSkeleton } from "#components/settings/settings-skeleton.tsx";
import type { ShownAccount } from "#lib/contract/account.ts";
import { NameForm } from "./name-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProviderList } from "./provider-list.tsx";
import { SessionList } from "./session-list.tsx";
import { TwoFactor } from "./two-factor.tsx";

interface AccountPageProps {
  /** The other ways to sign in that the operator set up. */
  readonly providers: readonly string[];
}

/** The page of one's own account: name, password, second factor, where one is signed in. */
export function AccountPage({ providers }: AccountPageProps) {
  const api = useApi();
  const account = useQuery({ queryKey: ["account"], queryFn: ({ signal }) => api.call("readAccount", { signal }) });
  return (
    <>
      <PageHeader title="Account" facts={account.data?.email ?? "\u00a0"} />
      {account.isPending && <SettingsSkeleton rows={3} />}
      {account.isError && account.data === undefined && (
        <FailureNotice
          what="Your account could not be loaded"
          error={account.error}
          onRetry={() => void account.refetch()}
        />
      )}
      {account.data && <Rows account={account.data} providers={providers} />}
    </>
  );
}

function Rows({ account, providers }: AccountPageProps & { readonly account: ShownAccount }) {
  return (
    <>
      <SettingsRow title="Name" text="How others in your workspaces see you.">
        <NameForm name={account.name} />
      </SettingsRow>
      <SettingsRow title="Password" text="A new one signs you out everywhere else.">
        <PasswordForm hasPassword={account.hasPassword === true} />
      </SettingsRow>
      <SettingsRow
        title="Authenticator app"
        text="Signing in then asks for a code that your phone shows, too: a stolen password is not enough."
      >
        <TwoFactor isOn={account.twoFactor === true} hasPassword={account.hasPassword === true} />
      </SettingsRow>
      {(providers.length > 0 || account.providers.length > 0) && (
        <SettingsRow title="Other ways in" text="Sign in with an account that you have elsewhere.">
          <ProviderList offered={providers} connected={account.providers} />
        </SettingsRow>
      )}
      <SettingsRow
        title="Sessions"
        text="Where you are signed in. End what you do not know, then change your password."
      >
        <SessionList />
      </SettingsRow>
    </>
  );
}
