"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import type { Addresses } from "#components/api/addresses.ts";
import { AddressesContext, RoleContext } from "#components/api/use-api.ts";
import { RenderedAtContext, TimeZoneContext } from "#components/time/relative-time.tsx";
import type { Role } from "#lib/access.ts";
import { ApiError } from "#lib/contract/client.ts";

/** Retries network and server failures twice; a client error would only repeat, and silence was waited for long enough. */
function worthRetrying(failures: number, error: Error): boolean {
  return failures < 2 && error.name !== "AbortError" && !(error instanceof ApiError && error.status < 500);
}

interface QueryProviderProps {
  readonly addresses: Addresses;
  readonly role: Role;
  readonly timezone: string | null;
  /** The time of the server's rendering, in milliseconds. */
  readonly renderedAt: number;
  readonly children: ReactNode;
}

/** What signed-in pages need to call the API: operation URLs, permissions, the time zone and the query cache. */
export function QueryProvider({ addresses, role, timezone, renderedAt, children }: QueryProviderProps) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // Offline, calls fail at once and say so: paused ones would wait without a word, and changes be sent long after.
          queries: {
            networkMode: "always",
            refetchOnReconnect: true,
            staleTime: 5_000,
            retry: worthRetrying,
            retryDelay: 800,
          },
          mutations: { networkMode: "always" },
        },
      }),
  );
  const [isHydrating, setHydrating] = useState(true);
  useEffect(() => startTransition(() => setHydrating(false)), []);
  return (
    <AddressesContext value={addresses}>
      <RoleContext value={role}>
        <TimeZoneContext value={timezone ?? (isHydrating ? "UTC" : null)}>
          <RenderedAtContext value={isHydrating ? renderedAt : null}>
            <QueryClientProvider client={client}>{children}</QueryClientProvider>
          </RenderedAtContext>
        </TimeZoneContext>
      </RoleContext>
    </AddressesContext>
  );
}
