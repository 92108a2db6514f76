"use client";
import { ActionIcon } from "@mantine/core";
import { type Icon, IconDots } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useLazyOpen } from "./use-lazy-open.ts";

const load = () => import("./row-menu-open.tsx");
const RowMenuOpen = lazy(load);

export interface RowMenuProps {
  readonly label: string;
  /** Displayed above the entries: why some of them are disabled. */
  readonly note?: string | null;
  readonly entries: readonly MenuEntry[];
}

/** Actions on a list's row; the menu is loaded on demand. */
export function RowMenu(menu: RowMenuProps) {
  return (
    <LazyMenu label={menu.label} load={load}>
      <RowMenuOpen {...menu} />
    </LazyMenu>
  );
}

interface LazyMenuProps {
  readonly label: string;
  readonly load: () => Promise<unknown>;
  /** The open menu, which `load` loads. */
  readonly children: ReactNode;
}

/** A row's button, which opens its menu once that is loaded. */
export function LazyMenu({ label, load, children }: LazyMenuProps) {
  const { isOpened, openerProps } = useLazyOpen(load);
  const closed = (
    <ActionIcon variant="subtle" size={28} aria-label={label} aria-haspopup="menu" {...openerProps}>
      <IconDots size={16} />
    </ActionIcon>
  );
  return isOpened ? <Suspense fallback={closed}>{children}</Suspense> : closed;
}

/** An entry of a menu. */
export interface MenuEntry {
  readonly label: string;
  readonly icon: Icon;
  /** Its link, or its action. */
  readonly href?: string;
  readonly onChoose?: () => void;
  /** A destructive action. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
}
