"use client";

import { Avatar, Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconLogout, IconMoon, IconSelector, IconSun } from "@tabler/icons-react";
import { signOut } from "next-auth/react";
import styles from "./account-menu.module.css";

const schemes = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

export function AccountMenu({ name, email }: { readonly name: string; readonly email: string }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu width={216} position="top-start">
      <Menu.Target>
        <UnstyledButton className={styles.target} aria-label={`Account of ${name}`}>
          <Avatar size={28} radius="xl" name={name} color="initials" />
          <span className={styles.who}>
            <span className={styles.name}>{name}</span>
            <span className={styles.email}>{email}</span>
          </span>
          <IconSelector size={16} aria-hidden="true" className={styles.hint} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colour scheme</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {schemes.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} aria-hidden="true" />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden="true" />}
          onClick={() => void signOut({ callbackUrl: "/sign-in" })}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
