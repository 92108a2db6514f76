import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "#components/page/lazy-part.tsx";

const LoadedDialog = lazyPart(async () => ({ default: (await import("./input-dialog.tsx")).InputDialog }));

/** The dialog for a run's input. Its code is loaded when it opens. */
export function LazyInputDialog(dialog: ComponentProps<typeof LoadedDialog>) {
  return (
    <Suspense>
      <LoadedDialog {...dialog} />
    </Suspense>
  );
}
