import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { AppFrame } from "#components/shell/app-frame.tsx";
import { QueryProvider } from "#components/shell/query-provider.tsx";
import { currentSession } from "#lib/auth/session.ts";
import { needsSetUp } from "#lib/workspaces/needs-set-up.ts";

export default async function SignedInLayout({ children }: { readonly children: ReactNode }) {
  const session = await currentSession();
  if (session === null) redirect((await needsSetUp()) ? "/setup" : "/sign-in");
  return (
    <QueryProvider>
      <AppFrame workspaceName={session.workspaceName} name={session.name} email={session.email}>
        {children}
      </AppFrame>
    </QueryProvider>
  );
}
