import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { Api } from "#components/api/use-api.ts";
import type { credential, listCredentialUses } from "#lib/contract/credentials.ts";

export type ShownCredential = z.output<typeof credential>;
export type ShownCredentialUse = z.output<typeof listCredentialUses.answer>[number];

export const credentialQueries = {
  list: (api: Api, page: string | undefined) =>
    queryOptions({
      queryKey: ["credentials", "list", page],
      queryFn: ({ signal }) => api.callList("listCredentials", { query: { page }, signal }),
      placeholderData: keepPreviousData,
    }),
  uses: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["credentials", "uses", id],
      queryFn: ({ signal }) => api.call("listCredentialUses", { params: { id }, signal }),
    }),
};
