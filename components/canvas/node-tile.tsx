import {
  IconAdjustments,
  IconArrowBackUp,
  IconArrowsJoin,
  IconArrowsSplit,
  IconBraces,
  IconCalendarTime,
  IconClock,
  IconCode,
  IconHandClick,
  IconHandStop,
  IconHourglass,
  IconMail,
  IconNotes,
  IconRepeat,
  IconRoute,
  IconSitemap,
  IconTransform,
  IconWebhook,
  IconWorld,
} from "@tabler/icons-react";
import styles from "./node-tile.module.css";

/** The icons that a node type's manifest may name. A new name needs its line here; until then the braces stand for it. */
const nodeIcons: Readonly<Record<string, typeof IconWorld>> = {
  adjustments: IconAdjustments,
  "arrow-back-up": IconArrowBackUp,
  "arrows-join": IconArrowsJoin,
  "arrows-split": IconArrowsSplit,
  "calendar-time": IconCalendarTime,
  clock: IconClock,
  code: IconCode,
  "hand-click": IconHandClick,
  "hand-stop": IconHandStop,
  hourglass: IconHourglass,
  mail: IconMail,
  notes: IconNotes,
  repeat: IconRepeat,
  route: IconRoute,
  sitemap: IconSitemap,
  transform: IconTransform,
  webhook: IconWebhook,
  world: IconWorld,
};

const unknownNodeIcon = IconBraces;

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
