"use client";

import { type ComponentProps, lazy, Suspense, useEffect, useState } from "react";

const DialogFrame = lazy(() => import("./dialog-frame.tsx"));

/** A dialog; what draws it is fetched with the first one that opens. */
export function Dialog(dialog: ComponentProps<typeof DialogFrame>) {
  const [wanted, setWanted] = useState(dialog.opened);
  if (dialog.opened && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <DialogFrame {...dialog} />
    </Suspense>
  );
}

/** Gives the keyboard back to what had it when this appeared, once this is gone; unless something else has taken it. */
export function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}
