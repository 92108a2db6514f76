import type { Metadata } from "next";
import { AccountPage } from "#components/account/account-page.tsx";
import { entryWays } from "#lib/accounts/outside-providers.ts";

export const metadata: Metadata = { title: "Account" };
export const dynamic = "force-dynamic";

export default function AccountSettingsPage() {
  return <AccountPage providers={entryWays().providers} />;
}
