import type { ReactNode } from "react";
import { PlaceList } from "#components/shell/navigation.tsx";
import styles from "./settings-frame.module.css";

/** The pages of the settings, in their order. */
export const settingsPlaces = [
  { label: "API keys", path: "/settings/api-keys" },
  { label: "Members", path: "/settings/members" },
  { label: "Account", path: "/settings/account" },
  { label: "Workspace", path: "/settings/workspace" },
  { label: "Audit log", path: "/settings/audit-log" },
] as const;

/** The layout of every settings page. A page brings its own title, with PageHeader. */
export function SettingsFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <nav aria-label="Settings" className={styles.nav}>
        <p className={styles.heading}>Settings</p>
        <PlaceList places={settingsPlaces} />
      </nav>
      <div className={styles.page}>{children}</div>
    </div>
  );
}
