import type { ShownService } from "#lib/contract/services.ts";
import styles from "./service-tile.module.css";

/** A service's initials on its colour. */
export function ServiceTile({ service }: { readonly service: Pick<ShownService, "icon"> | undefined }) {
  const { letters, color } = service?.icon ?? { letters: "?", color: "#5c6773" };
  return (
    <span className={styles.tile} style={{ background: color }} aria-hidden="true">
      {letters}
    </span>
  );
}
