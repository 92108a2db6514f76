"use client";

import { useState } from "react";

const retryMs = 3_000;

/** Loads a part that the page works without, retrying until it succeeds: one failure would have React replace the page. */
export function keepLoading<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(() => new Promise((resolve) => setTimeout(() => resolve(keepLoading(load)), retryMs)));
}

/**
 * For code that is loaded when its button is used: `isOpened` is true once it was pressed; spread `openerProps` on the
 * button.
 */
export function useLazyOpen(load: () => Promise<unknown>) {
  const [isOpened, setOpened] = useState(false);
  const fetch = () => void load();
  return {
    isOpened,
    close: () => setOpened(false),
    openerProps: { onPointerEnter: fetch, onFocus: fetch, onClick: () => setOpened(true) },
  };
}
