import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

/** The API's largest page, and how many of them are read: more names than a list can be chosen from. */
const [pageSize, pagesMax] = [100, 20];

/** The workspace's credentials to choose from. */
export const credentialNames = (api: Api) =>
  queryOptions({
    queryKey: ["credentials", "names"],
    queryFn: async ({ signal }) => {
      const read = (page: number) => api.callList("listCredentials", { query: { page, limit: pageSize }, signal });
      const { items, pagination } = await read(1);
      const all = [...items];
      for (let page = 2; page <= Math.min(pagesMax, pagination.totalPages); page += 1) {
        all.push(...(await read(page)).items);
      }
      return all;
    },
  });
