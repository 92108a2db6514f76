import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import type { Address } from "#components/api/addresses.ts";
import { signInAddress } from "#components/auth/page-after-sign-in.ts";
import { AppFrame } from "#components/shell/app-frame.tsx";
import { EarlyInputScript } from "#components/shell/early-input-script.tsx";
import { QueryProvider } from "#components/shell/query-provider.tsx";
import { currentUser } from "#lib/auth/session.ts";
import { operations } from "#lib/contract/all.ts";
import { needsSetUp } from "#lib/workspaces/set-up-workspace.ts";
import { pageSession } from "./page-session.ts";

/** Each operation's required scope; the schemas stay on the server. */
const addresses: Record<string, Address> = Object.fromEntries(
  Object.entries(operations).map(([name, { method, path, shape }]) => [name, { method, path, shape }]),
);

export default async function SignedInLayout({ children }: { readonly children: ReactNode }) {
  const session = await pageSession();
  if (session === null) {
    if ((await currentUser()) !== null) redirect("/no-workspace");
    redirect((await needsSetUp()) ? "/setup" : signInAddress((await headers()).get("x-requested-path")));
  }
  return (
    <QueryProvider addresses={addresses} role={session.role} timezone={session.timezone} renderedAt={Date.now()}>
      <EarlyInputScript nonce={(await headers()).get("x-nonce") ?? ""} />
      <AppFrame
        userId={session.userId}
        workspaceName={session.workspaceName}
        account={{ name: session.name, email: session.email }}
      >
        {children}
      </AppFrame>
    </QueryProvider>
  );
}
