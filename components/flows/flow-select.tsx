"use client";

import { InputBase } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { useApi } from "#components/api/use-api.ts";
import styles from "#components/list/data-table.module.css";
import { useLazyOpen } from "#components/page/use-lazy-open.ts";
import { flowQueries } from "./flow-queries.ts";

const load = () => import("./flow-search.tsx");
const FlowSearch = lazy(load);

export interface FlowSelectProps {
  readonly value: string | undefined;
  readonly onChange: (flowId: string | null) => void;
  /** The text while none is selected. */
  readonly any?: string;
  /** The label above it; without one, its accessible name is "Flow" and no label is shown, as for filters. */
  readonly label?: string;
  readonly id?: string;
  readonly error?: ReactNode;
  readonly disabled?: boolean;
}

/** One of the workspace's flows, by name; searched while typing. Loaded on demand. */
export function FlowSelect({ value = "", any = "Any flow", ...field }: FlowSelectProps) {
  const { isOpened, openerProps, close } = useLazyOpen(load);
  const found = useQuery(flowQueries.name(useApi(), value));
  const name = value === "" ? any : (found.data ?? (found.isError ? value : "…"));
  const button = useRef<HTMLButtonElement>(null);
  const returns = useRef(false);
  useEffect(() => {
    if (isOpened || !returns.current) return;
    returns.current = false;
    button.current?.focus();
  }, [isOpened]);
  const { label, id, error, disabled = false } = field;
  const closed = (
    <InputBase
      {...{ label, id, error, disabled }}
      ref={button}
      component="button"
      type="button"
      pointer
      aria-label={`${label ?? "Flow"}: ${name}`}
      aria-haspopup="listbox"
      className={label === undefined && id === undefined ? styles.filter : undefined}
      styles={{ input: { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } }}
      rightSection={<IconSelector size={16} aria-hidden="true" />}
      rightSectionPointerEvents="none"
      {...openerProps}
    >
      {name}
    </InputBase>
  );
  if (!isOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <FlowSearch
        {...field}
        {...{ value, any, name }}
        onClose={close}
        onDone={() => {
          returns.current = true;
        }}
      />
    </Suspense>
  );
}
