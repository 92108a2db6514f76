"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import styles from "./place-list.module.css";
import { isAt, type Place } from "./places.ts";

interface PlaceListProps {
  readonly places: readonly Place[];
  readonly onGo?: () => void;
}

/** Places as links, one below the other; the one that one is at is marked. */
export function PlaceList({ places, onGo }: PlaceListProps) {
  const pathname = usePathname();
  return (
    <ul className={styles.list}>
      {places.map(({ label, path, icon: Icon }) => (
        <li key={path}>
          <Link
            href={path}
            className={styles.link}
            title={label}
            aria-current={isAt(pathname, path) ? "page" : undefined}
            {...(onGo && { onClick: onGo })}
          >
            {Icon && <Icon size={18} stroke={1.7} aria-hidden="true" />}
            <span className={styles.label}>{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
