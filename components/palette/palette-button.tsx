"use client";

import { UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import styles from "./palette-button.module.css";
import { openPalette } from "./palette-door.ts";
import { paletteKey } from "./palette-key.ts";

/** Opens the palette, and tells its key. */
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
