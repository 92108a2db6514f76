"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { isAt } from "#components/shell/places.ts";
import styles from "./settings-frame.module.css";
import { settingsPlaces } from "./settings-places.ts";

/** What every page of the settings has beside it. A page brings its own title, with PageHeader. */
export function SettingsFrame({ children }: { readonly children: ReactNode }) {
  const pathname = usePathname();
  return (
    <div className={styles.frame}>
      <nav aria-label="Settings" className={styles.nav}>
        <p className={styles.heading}>Settings</p>
        <ul className={styles.list}>
          {settingsPlaces.map(({ label, path }) => (
            <li key={path}>
              <Link href={path} className={styles.link} aria-current={isAt(pathname, path) ? "page" : undefined}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.page}>{children}</div>
    </div>
  );
}
