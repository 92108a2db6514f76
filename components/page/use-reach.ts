"use client";

import { useState } from "react";

/** For what is loaded when its button is used: `wanted` once it was pressed; `reached` goes on the button. */
export function useReach(load: () => Promise<unknown>) {
  const [wanted, want] = useState(false);
  const fetch = () => void load();
  return {
    wanted,
    letGo: () => want(false),
    reached: { onPointerEnter: fetch, onFocus: fetch, onClick: () => want(true) },
  };
}
