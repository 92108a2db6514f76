"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useApi } from "#components/api/use-api.ts";
import type { RowSearch } from "#components/tables/model/row-loader.ts";
import { TableModel } from "#components/tables/model/table-model.ts";
import type { ShownTable } from "#components/tables/table-queries.ts";
import { showToast } from "#components/toast/toast.ts";

/** A table's rows as shown and edited on this page. */
export function useTableModel({ id, columns }: ShownTable, { where, sort }: RowSearch) {
  const api = useApi();
  const queries = useQueryClient();
  const [model] = useState(
    () =>
      new TableModel({
        api,
        tableId: id,
        columns,
        onFailure: (message) => void showToast({ message, tone: "failed" }),
      }),
  );
  const state = useSyncExternalStore(model.watch, model.state, model.state);
  const shape = JSON.stringify(columns);
  const shown = useRef(shape);
  useEffect(() => {
    if (shown.current !== shape) model.setColumns(JSON.parse(shape));
    shown.current = shape;
    model.search({ where, sort });
    return () => model.loader.stop();
  }, [model, shape, where, sort]);
  const isWriting = state.writing > 0;
  const wrote = useRef(false);
  // Writes change the number of rows.
  useEffect(() => {
    if (wrote.current && !isWriting) void queries.invalidateQueries({ queryKey: ["tables"] });
    wrote.current = isWriting;
  }, [isWriting, queries]);
  return { model, state };
}
