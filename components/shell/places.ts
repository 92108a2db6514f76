import {
  type Icon,
  IconBell,
  IconBook2,
  IconKey,
  IconLayoutDashboard,
  IconPlayerPlay,
  IconRoute,
  IconSettings,
  IconWebhook,
} from "@tabler/icons-react";

/** A page that one goes to by its name. */
export interface Place {
  readonly label: string;
  readonly path: string;
  readonly icon?: Icon;
}

/** Where the navigation leads, in its order. */
export const places = [
  { label: "Overview", path: "/", icon: IconLayoutDashboard },
  { label: "Flows", path: "/flows", icon: IconRoute },
  { label: "Runs", path: "/runs", icon: IconPlayerPlay },
  { label: "Alerts", path: "/alerts", icon: IconBell },
  { label: "Webhooks", path: "/webhooks", icon: IconWebhook },
  { label: "Credentials", path: "/credentials", icon: IconKey },
  { label: "API reference", path: "/reference", icon: IconBook2 },
  { label: "Settings", path: "/settings", icon: IconSettings },
] as const;

/** Whether a page belongs to a place: the overview is itself alone. */
export function isAt(pathname: string, path: string): boolean {
  return pathname === path || (path !== "/" && pathname.startsWith(`${path}/`));
}
