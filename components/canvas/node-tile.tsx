import {
  IconAlertTriangle,
  IconBraces,
  IconCalendarTime,
  IconForms,
  IconHandClick,
  IconMail,
  IconRefresh,
  IconRss,
  IconTable,
  IconWebhook,
} from "@tabler/icons-react";
import styles from "./node-tile.module.css";

/** Icons of triggers, which are not node types. */
const triggerIcons: Readonly<Record<string, typeof IconBraces>> = {
  "alert-triangle": IconAlertTriangle,
  "calendar-time": IconCalendarTime,
  forms: IconForms,
  "hand-click": IconHandClick,
  mail: IconMail,
  refresh: IconRefresh,
  rss: IconRss,
  table: IconTable,
  webhook: IconWebhook,
};

interface NodeTileProps {
  /** An icon's paths from a node type, or a trigger's name; empty for an unknown type. */
  readonly icon: string;
  readonly family: string;
  readonly small?: boolean;
}

/** A node type's icon on its family's colour. */
export function NodeTile({ icon, family, small = false }: NodeTileProps) {
  const Icon = icon === "" ? IconBraces : triggerIcons[icon];
  const size = small ? 14 : 20;
  return (
    <span className={styles.tile} data-family={family} data-small={small || undefined} aria-hidden="true">
      {Icon !== undefined ? (
        <Icon size={size} stroke={1.7} />
      ) : (
        <svg
          aria-hidden="true"
          width={size}
          height={size}
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth={1.7}
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d={icon} />
        </svg>
      )}
    </span>
  );
}
