"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "#lib/contract/client.ts";

/** A mistake stays a mistake however often it is asked again; what failed on the way is tried twice more. */
function worthRetrying(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

export function QueryProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: worthRetrying, retryDelay: 800 } } }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
