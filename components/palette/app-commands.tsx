import { useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconLogout, IconMoon, IconPlus, IconSettings, IconSun } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useAccess } from "#components/api/use-access.ts";
import { leave } from "#components/auth/leave.ts";
import { settingsPlaces } from "#components/settings/settings-places.ts";
import { places } from "#components/shell/places.ts";
import type { CommandGroup } from "./palette-door.ts";

const schemes = [
  { value: "light", label: "Use the light colours", icon: IconSun },
  { value: "dark", label: "Use the dark colours", icon: IconMoon },
  { value: "auto", label: "Use the system's colours", icon: IconDeviceDesktop },
] as const;

/** What can be done on every page. */
export function useAppCommands(): CommandGroup[] {
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const mayWrite = useAccess().refusal("flows:write") === null;
  const goTo = (path: string, label: string, Icon: typeof IconPlus) => ({
    id: `go ${path}`,
    label,
    leftSection: <Icon size={16} aria-hidden="true" />,
    onClick: () => router.push(path),
  });
  return [
    { group: "Make", actions: mayWrite ? [goTo("/flows/new", "New flow", IconPlus)] : [] },
    {
      group: "Go to",
      actions: [
        ...places.map(({ path, label, icon }) => goTo(path, label, icon)),
        ...settingsPlaces.map(({ path, label }) => goTo(path, `Settings: ${label}`, IconSettings)),
      ],
    },
    {
      group: "Colours",
      actions: schemes.map(({ value, label, icon: Icon }) => ({
        id: `scheme ${value}`,
        label,
        leftSection: <Icon size={16} aria-hidden="true" />,
        onClick: () => setColorScheme(value),
      })),
    },
    {
      group: "Account",
      actions: [
        {
          id: "sign out",
          label: "Sign out",
          leftSection: <IconLogout size={16} aria-hidden="true" />,
          onClick: () => void leave("/sign-in"),
        },
      ],
    },
  ];
}
