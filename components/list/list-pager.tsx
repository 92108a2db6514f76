"use client";
import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { Pagination } from "#lib/contract/client.ts";
import styles from "./list-pager.module.css";

const count = new Intl.NumberFormat("en");

interface ListPagerProps {
  readonly pagination: Pagination;
  readonly onPage: (page: number) => void;
}

/** A list's position, with buttons for the previous and next page. */
export function ListPager({ pagination, onPage }: ListPagerProps) {
  const { page, limit, total, hasNext, hasPrev } = pagination;
  const first = total === 0 ? 0 : (page - 1) * limit + 1;
  const last = Math.min(page * limit, total);
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span>
        {count.format(first)}–{count.format(last)} of {count.format(total)}
      </span>
      <ActionIcon
        variant="default"
        size="var(--control-height)"
        disabled={!hasPrev}
        onClick={() => onPage(page - 1)}
        aria-label="Previous page"
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="var(--control-height)"
        disabled={!hasNext}
        onClick={() => onPage(page + 1)}
        aria-label="Next page"
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </nav>
  );
}
