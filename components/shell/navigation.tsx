"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import styles from "./navigation.module.css";
import { isAt, places } from "./places.ts";

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Main">
      <ul className={styles.list}>
        {places.map(({ label, path, icon: Icon }) => {
          const here = isAt(pathname, path);
          return (
            <li key={path}>
              <Link
                href={path}
                className={styles.link}
                title={label}
                aria-current={here ? "page" : undefined}
                {...(onGo && { onClick: onGo })}
              >
                <Icon size={18} stroke={1.7} aria-hidden="true" />
                <span className={styles.label}>{label}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
