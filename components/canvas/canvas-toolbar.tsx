import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import { type FitViewOptions, useReactFlow } from "@xyflow/react";
import styles from "./canvas-toolbar.module.css";

/** Nearer, farther, all of it. */
export function CanvasToolbar({ fit }: { readonly fit: FitViewOptions }) {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const actions = [
    { label: "Zoom out", icon: IconMinus, perform: () => zoomOut({ duration: 140 }) },
    { label: "Zoom in", icon: IconPlus, perform: () => zoomIn({ duration: 140 }) },
    { label: "Show the whole flow", icon: IconMaximize, perform: () => fitView({ ...fit, duration: 180 }) },
  ];
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="View">
      {actions.map(({ label, icon: Icon, perform }) => (
        <Tooltip key={label} label={label} position="top">
          <ActionIcon variant="subtle" size={28} onClick={() => void perform()} aria-label={label}>
            <Icon size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
