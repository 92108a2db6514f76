"use client";

import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { openPaletteBy } from "./palette-door.ts";

const Palette = lazy(() => import("./palette.tsx"));

/** Opens the palette by its key, wherever one is, and for whoever asks. It is fetched the first time. */
export function PaletteHost() {
  const [asked, setAsked] = useState(0);
  const open = useCallback(() => setAsked((before) => before + 1), []);
  useEffect(() => openPaletteBy(open), [open]);
  useHotkeys([["mod+K", open]], []);
  if (asked === 0) return null;
  return (
    <Suspense>
      <Palette asked={asked} />
    </Suspense>
  );
}
