import { type ComponentProps, lazy, Suspense } from "react";

const LoadedDialog = lazy(async () => ({ default: (await import("./input-dialog.tsx")).InputDialog }));

/** The dialog for a run's input. Its code is loaded when it opens. */
export function LazyInputDialog(dialog: ComponentProps<typeof LoadedDialog>) {
  return (
    <Suspense>
      <LoadedDialog {...dialog} />
    </Suspense>
  );
}
