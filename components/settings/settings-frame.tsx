import type { ReactNode } from "react";
import { PlaceList } from "#components/shell/place-list.tsx";
import styles from "./settings-frame.module.css";
import { settingsPlaces } from "./settings-places.ts";

/** What every page of the settings has beside it. A page brings its own title, with PageHeader. */
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
