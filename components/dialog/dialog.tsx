"use client";

import { type ComponentProps, lazy, Suspense, useState } from "react";

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
