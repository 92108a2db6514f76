"use client";

import { type ComponentProps, lazy, Suspense, useEffect, useState } from "react";

const DialogFrame = lazy(() => import("./dialog-frame.tsx"));

/** A dialog. Its code is loaded when the first one opens. */
export function Dialog(dialog: ComponentProps<typeof DialogFrame>) {
  const [isWanted, setWanted] = useState(dialog.opened);
  if (dialog.opened && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense>
      <DialogFrame {...dialog} />
    </Suspense>
  );
}

/** Returns focus on unmount to the element that had it on mount, unless another element has taken it. */
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
