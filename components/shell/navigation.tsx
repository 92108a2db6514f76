import styles from "./navigation.module.css";
import { PlaceList } from "./place-list.tsx";
import { places } from "./places.ts";

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  return (
    <nav aria-label="Main" className={styles.nav}>
      <PlaceList places={places} {...(onGo && { onGo })} />
    </nav>
  );
}
