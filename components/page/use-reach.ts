"use client";

import { useState } from "react";

/** For what is fetched when somebody reaches for its button: `wanted` since it was pressed; `reached` goes on the button. */
export function useReach(load: () => Promise<unknown>) {
  const [wanted, want] = useState(false);
  const fetch = () => void load();
  return {
    wanted,
    letGo: () => want(false),
    reached: { onPointerEnter: fetch, onFocus: fetch, onClick: () => want(true) },
  };
}
