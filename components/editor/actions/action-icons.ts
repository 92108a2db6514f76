import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconClipboard,
  IconCopy,
  IconCopyPlus,
  IconCut,
  IconMaximize,
  IconMinus,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";

/** The icons of actions that are buttons or stand in menus. */
export const actionIcons: Readonly<Record<string, typeof IconPlus>> = {
  undo: IconArrowBackUp,
  redo: IconArrowForwardUp,
  cut: IconCut,
  copy: IconCopy,
  paste: IconClipboard,
  duplicate: IconCopyPlus,
  delete: IconTrash,
  "zoom-in": IconPlus,
  "zoom-out": IconMinus,
  fit: IconMaximize,
};
