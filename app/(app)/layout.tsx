import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import type { Address } from "#components/api/addresses.ts";
import { signInAddress } from "#components/auth/asked-path.ts";
import { AppFrame } from "#components/shell/app-frame.tsx";
import { QueryProvider } from "#components/shell/query-provider.tsx";
import { currentSession, currentUser } from "#lib/auth/session.ts";
import * as executions from "#lib/contract/executions.ts";
import * as flowVersions from "#lib/contract/flow-versions.ts";
import * as flows from "#lib/contract/flows.ts";
import * as nodeTypes from "#lib/contract/node-types.ts";
import { needsSetUp } from "#lib/workspaces/needs-set-up.ts";

/** Of each operation, what a caller needs; the schemas stay here. */
const addresses: Record<string, Address> = Object.fromEntries(
  Object.entries({ ...flows, ...flowVersions, ...executions, ...nodeTypes }).flatMap(([name, value]) =>
    typeof value === "object" && "method" in value && "scope" in value
      ? [[name, { method: value.method, path: value.path, shape: value.shape }]]
      : [],
  ),
);

export default async function SignedInLayout({ children }: { readonly children: ReactNode }) {
  const session = await currentSession();
  if (session === null) {
    if ((await currentUser()) !== null) redirect("/no-workspace");
    redirect((await needsSetUp()) ? "/setup" : signInAddress((await headers()).get("x-asked-path")));
  }
  return (
    <QueryProvider addresses={addresses}>
      <AppFrame workspaceName={session.workspaceName} account={{ name: session.name, email: session.email }}>
        {children}
      </AppFrame>
    </QueryProvider>
  );
}
