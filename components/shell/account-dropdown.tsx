"use client";

import { Menu, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun } from "@tabler/icons-react";
import { useSignOut } from "#components/auth/sign-out.tsx";
import { useOpenedByEffect } from "#components/page/regain-focus.ts";
import { type Account, AccountButton } from "./account-menu.tsx";

const schemes = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "System", icon: IconDeviceDesktop },
] as const;

/** Theme and sign-out. */
export default function AccountDropdown(account: Account) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { target, opened, onChange } = useOpenedByEffect();
  const { signOut, question } = useSignOut("/sign-in");
  const chosen = (value: string) => schemes.find((scheme) => scheme.value === value)?.value ?? "auto";
  return (
    <>
      <Menu width={216} position="top-start" opened={opened} onChange={onChange}>
        <Menu.Target>
          <AccountButton ref={target} {...account} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Theme</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(chosen(value))}>
            {schemes.map(({ value, label, icon: Icon }) => (
              <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} aria-hidden="true" />}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={signOut}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question}
    </>
  );
}
