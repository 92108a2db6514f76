"use client";

import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Link } from "#components/page/link.tsx";
import type { MenuEntry, RowMenuProps } from "./row-menu.tsx";

/** A row's menu, initially open: it was loaded on demand. */
export default function RowMenuOpen({ label, note, entries }: RowMenuProps) {
  return (
    <Menu position="bottom-end" width={200} defaultOpened>
      <Menu.Target>
        <ActionIcon variant="subtle" size={28} aria-label={label}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {note && <Menu.Label>{note}</Menu.Label>}
        {entries.map((entry) => (
          <Entry key={entry.label} {...entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Entry({ label, icon: Icon, href, onChoose, danger = false, disabled = false }: MenuEntry) {
  const shown = {
    leftSection: <Icon size={16} aria-hidden="true" />,
    disabled,
    ...(danger && { color: "red" }),
    children: label,
  };
  if (href !== undefined) return <Menu.Item component={Link} href={href} {...shown} />;
  return <Menu.Item {...shown} {...(onChoose && { onClick: onChoose })} />;
}
