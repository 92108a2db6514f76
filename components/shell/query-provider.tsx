"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Addresses } from "#components/api/addresses.ts";
import { AddressesContext, RoleContext } from "#components/api/use-api.ts";
import { TimeZoneContext } from "#components/time/relative-time.tsx";
import type { Role } from "#lib/access.ts";
import { ApiError } from "#lib/contract/client.ts";

/** A mistake stays a mistake however often it is asked again; what failed on the way is tried twice more. */
function worthRetrying(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

interface QueryProviderProps {
  readonly addresses: Addresses;
  readonly role: Role;
  readonly timezone: string | null;
  readonly children: ReactNode;
}

/** What every signed-in page needs to ask the API: where its operations are, what one may do, where the
 * clock is, and the cache of answers. */
export function QueryProvider({ addresses, role, timezone, children }: QueryProviderProps) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: worthRetrying, retryDelay: 800 } } }),
  );
  return (
    <AddressesContext value={addresses}>
      <RoleContext value={role}>
        <TimeZoneContext value={timezone}>
          <QueryClientProvider client={client}>{children}</QueryClientProvider>
        </TimeZoneContext>
      </RoleContext>
    </AddressesContext>
  );
}
