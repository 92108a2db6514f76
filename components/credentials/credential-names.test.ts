import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Api } from "#components/api/use-api.ts";
import { credentialNames } from "./credential-names.ts";

test("all credentials can be chosen from, however many pages they are", async () => {
  const callList = async (_: string, { query: { page } }: { query: { page: number } }) => ({
    items: [{ name: `of page ${page}` }],
    pagination: { totalPages: 3 },
  });
  const found = await new QueryClient().fetchQuery(credentialNames({ callList } as unknown as Api));
  expect(found.map(({ name }) => name)).toEqual(["of page 1", "of page 2", "of page 3"]);
});
