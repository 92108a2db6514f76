"use client";

import { CloseButton } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import styles from "./side-panel.module.css";
import { SizeGrip, useStoredSize } from "./size-grip.tsx";

const widths = { key: "panel-width", usual: 380, least: 300, most: 960 } as const;

interface SidePanelProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly icon?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Details of the selected item, beside it; Escape closes it. */
export function SidePanel({ title, subtitle, icon, onClose, children }: SidePanelProps) {
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      // Escape closes the top thing: a dialog or a menu before the panel.
      const isAbove = event.target instanceof Element && event.target.closest("[role=dialog], [role=menu]") !== null;
      if (event.key === "Escape" && !event.defaultPrevented && !isAbove) onClose();
    };
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, [onClose]);
  const width = useStoredSize(widths);
  return (
    <aside className={styles.panel} aria-label={title} style={{ width: width.px }}>
      <SizeGrip edge="left" label="Panel width" spare={0} {...width} />
      <header className={styles.header}>
        {icon}
        <div className={styles.words}>
          <h2 className={styles.title} dir="auto">
            {title}
          </h2>
          {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
        </div>
        <CloseButton onClick={onClose} aria-label="Close the panel" />
      </header>
      <div className={styles.body}>{children}</div>
    </aside>
  );
}
