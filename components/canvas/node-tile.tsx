import { nodeIcons, unknownNodeIcon } from "./node-icons.ts";
import styles from "./node-tile.module.css";

interface NodeTileProps {
  readonly icon: string;
  readonly family: string;
  readonly small?: boolean;
}

/** A node type's icon on the colour of its family. */
export function NodeTile({ icon, family, small = false }: NodeTileProps) {
  const Icon = nodeIcons[icon] ?? unknownNodeIcon;
  return (
    <span className={styles.tile} data-family={family} data-small={small || undefined} aria-hidden="true">
      <Icon size={small ? 14 : 20} stroke={1.7} />
    </span>
  );
}
