import type { Icon } from "@tabler/icons-react";

/** Something that can be chosen in a menu. */
export interface MenuEntry {
  readonly label: string;
  readonly icon: Icon;
  /** Where it leads, or what it does. */
  readonly href?: string;
  readonly onChoose?: () => void;
  /** It destroys something. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
}
