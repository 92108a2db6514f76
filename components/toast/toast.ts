export interface Toast {
  readonly message: string;
  readonly tone?: "done" | "failed";
  /** Undoes the action; offered while the toast is shown. */
  readonly undo?: () => void;
  /** Where to see what was done. */
  readonly link?: { readonly label: string; readonly href: string };
  /** Called when the toast has closed, for whatever reason. */
  readonly onGone?: () => void;
}

const doneMs = 4_000;
/** Long enough to read and decide. */
const choiceMs = 8_000;

/** Shows a toast; returns a function that closes it. */
export async function showToast({ message, tone = "done", undo, link, onGone }: Toast): Promise<() => void> {
  const { notifications, ToastText } = await import("./toaster.tsx");
  const takeBack = () => {
    undo?.();
    notifications.hide(id);
  };
  const id = notifications.show({
    message: ToastText({ message, ...(undo && { undo: takeBack }), ...(link && { link }) }),
    color: tone === "failed" ? "red" : "mill",
    autoClose: tone === "failed" ? false : undo === undefined && link === undefined ? doneMs : choiceMs,
    ...(onGone && { onClose: onGone }),
    closeButtonProps: { "aria-label": "Dismiss" },
    role: tone === "failed" ? "alert" : "status",
  });
  return () => notifications.hide(id);
}
