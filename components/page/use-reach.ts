"use client";

import { useState } from "react";

/**
 * For code that is loaded when its button is used: `wanted` is true once it was pressed; spread `reached` on the
 * button.
 */
export function useReach(load: () => Promise<unknown>) {
  const [wanted, want] = useState(false);
  const fetch = () => void load();
  return {
    wanted,
    letGo: () => want(false),
    reached: { onPointerEnter: fetch, onFocus: fetch, onClick: () => want(true) },
  };
}
