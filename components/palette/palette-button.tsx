"use client";
import { UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import styles from "./palette-button.module.css";
import { openKeys, openPalette, openPaletteBy, paletteKey } from "./palette-loader.ts";

/** Opens the palette, and shows its shortcut. */
export function PaletteButton() {
  const [key, setKey] = useState("");
  useEffect(() => setKey(paletteKey()), []);
  return (
    <UnstyledButton className={styles.button} onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
      <IconSearch size={16} aria-hidden="true" />
      <span className={styles.label}>Search</span>
      <kbd className={styles.key}>{key}</kbd>
    </UnstyledButton>
  );
}

const Palette = lazy(() => import("./palette.tsx"));

/** Opens the palette by its shortcut or on request; `?` shows the shortcuts. Loaded on first use. */
export function PaletteHost() {
  const [requests, setRequests] = useState(0);
  const open = useCallback(() => setRequests((before) => before + 1), []);
  useEffect(() => openPaletteBy(open), [open]);
  // In code fields too, which are no inputs.
  useHotkeys([["mod+K", open]], [], true);
  // Not while the user types.
  useHotkeys([
    ["shift+?", openKeys],
    ["?", openKeys],
  ]);
  if (requests === 0) return null;
  return (
    <Suspense>
      <Palette requests={requests} />
    </Suspense>
  );
}
