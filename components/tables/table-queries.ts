import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import type { ShownRow } from "#lib/contract/tables/rows.ts";
import type { ColumnType, ShownTable } from "#lib/contract/tables/tables.ts";

export type { ColumnType, ShownRow, ShownTable };
export type ShownColumn = ShownTable["columns"][number];

export const tableQueries = {
  list: (api: Api, page: string | undefined, search: string | undefined) =>
    queryOptions({
      queryKey: ["tables", "list", page, search],
      queryFn: ({ signal }) => api.callList("listTables", { query: { page, search }, signal }),
      placeholderData: keepPreviousData,
    }),
  one: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["tables", "one", id],
      queryFn: ({ signal }) => api.call("readTable", { params: { id }, signal }),
    }),
  /** The number of rows that match a filter; unknown if the server refuses an expensive search in a large table. */
  count: (api: Api, id: string, where: string) =>
    queryOptions({
      queryKey: ["tables", "count", id, where],
      queryFn: ({ signal }) => api.call("countRows", { params: { id }, query: { where }, signal }),
      retry: false,
    }),
};

/** Display names of column types. */
export const typeWords: Readonly<Record<ColumnType, string>> = {
  text: "Text",
  number: "Number",
  boolean: "True or false",
  time: "Time",
  json: "JSON",
};

const count = new Intl.NumberFormat("en");

/** "1 row", "1,204 rows". */
export function rowsInWords(rows: number): string {
  return rows === 1 ? "1 row" : `${count.format(rows)} rows`;
}
