"use client";

import { useState } from "react";

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
