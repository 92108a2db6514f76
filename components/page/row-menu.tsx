"use client";

import { ActionIcon } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { MenuEntry } from "./menu-entry.ts";

const load = () => import("./row-menu-open.tsx");
const RowMenuOpen = lazy(load);

export interface RowMenuProps {
  readonly label: string;
  /** Said above the entries: why some of them cannot be chosen. */
  readonly note?: string | null;
  readonly entries: readonly MenuEntry[];
}

/** What can be done to a row of a list; the menu is fetched when somebody reaches for it. */
export function RowMenu(menu: RowMenuProps) {
  const [wanted, setWanted] = useState(false);
  const closed = (
    <ActionIcon
      variant="subtle"
      size={28}
      aria-label={menu.label}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      <IconDots size={16} />
    </ActionIcon>
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <RowMenuOpen {...menu} />
    </Suspense>
  );
}
