"use client";
import {
  type Icon,
  IconBell,
  IconBook2,
  IconKey,
  IconLayoutDashboard,
  IconPlayerPlay,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconTable,
  IconWebhook,
} from "@tabler/icons-react";
import { usePathname } from "next/navigation";
import { Link } from "#components/page/link.tsx";
import styles from "./navigation.module.css";
import placeListStyles from "./place-list.module.css";

/** A page, by name. */
interface Place {
  readonly label: string;
  readonly path: string;
  readonly icon?: Icon;
}

/** The navigation's pages, in order. */
export const places = [
  { label: "Overview", path: "/", icon: IconLayoutDashboard },
  { label: "Flows", path: "/flows", icon: IconRoute },
  { label: "Runs", path: "/runs", icon: IconPlayerPlay },
  { label: "Tables", path: "/tables", icon: IconTable },
  { label: "Alerts", path: "/alerts", icon: IconBell },
  { label: "Webhooks", path: "/webhooks", icon: IconWebhook },
  { label: "Credentials", path: "/credentials", icon: IconKey },
  { label: "Services", path: "/services", icon: IconPlugConnected },
  { label: "API reference", path: "/reference", icon: IconBook2 },
  { label: "Settings", path: "/settings", icon: IconSettings },
] as const;

/** Whether a page belongs to a navigation entry; the overview has no sub-pages. */
function isAt(pathname: string, path: string): boolean {
  return pathname === path || (path !== "/" && pathname.startsWith(`${path}/`));
}

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  return (
    <nav aria-label="Main" className={styles.nav}>
      <PlaceList places={places} {...(onGo && { onGo })} />
    </nav>
  );
}

interface PlaceListProps {
  readonly places: readonly Place[];
  readonly onGo?: () => void;
}

/** A vertical list of links; the current one is marked. */
export function PlaceList({ places, onGo }: PlaceListProps) {
  const pathname = usePathname();
  return (
    <ul className={placeListStyles.list}>
      {places.map(({ label, path, icon: Icon }) => (
        <li key={path}>
          <Link
            href={path}
            className={placeListStyles.link}
            title={label}
            aria-current={isAt(pathname, path) ? "page" : undefined}
            {...(onGo && { onClick: onGo })}
          >
            {Icon && <Icon size={18} stroke={1.7} aria-hidden="true" />}
            <span className={placeListStyles.label}>{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
