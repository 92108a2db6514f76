"use client";

import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Link } from "#components/page/link.tsx";
import { firstClick } from "./first-click.ts";
import { useOpenedByEffect } from "./regain-focus.ts";
import type { MenuEntry, RowMenuProps } from "./row-menu.tsx";

/** A row's menu, opened at once: it was loaded on demand. */
export default function RowMenuOpen({ label, note, entries }: RowMenuProps) {
  const { target, regain, ...state } = useOpenedByEffect();
  return (
    <Menu position="bottom-end" width={200} {...state}>
      <Menu.Target>
        <ActionIcon ref={target} variant="subtle" size={28} aria-label={label}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClickCapture={regain}>
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
    // It can still have the focus: a menu whose entries are all disabled would have it nowhere.
    ...(disabled && { "aria-disabled": true, "data-disabled": true, closeMenuOnClick: false }),
    ...(danger && { color: "red" }),
    children: label,
  };
  if (href !== undefined) return <Menu.Item component={Link} href={href} {...shown} />;
  return <Menu.Item {...shown} {...(onChoose && !disabled && { onClick: firstClick(onChoose) })} />;
}
