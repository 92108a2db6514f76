export interface Toast {
  readonly message: string;
  readonly tone?: "done" | "failed";
  /** Takes back what was done; offered for as long as the toast stays. */
  readonly undo?: () => void;
  /** When the toast has gone, whatever made it go. */
  readonly onGone?: () => void;
}

const doneMs = 4_000;
/** Long enough to read it and to decide. */
const undoMs = 8_000;

/**
 * Says in a corner that something was done, or was not; gives what takes it away. What shows it is fetched with the first
 * one.
 */
export async function showToast({ message, tone = "done", undo, onGone }: Toast): Promise<() => void> {
  const [{ notifications }, { ToastText }] = await Promise.all([
    import("@mantine/notifications"),
    import("./toast-text.tsx"),
  ]);
  const takeBack = () => {
    undo?.();
    notifications.hide(id);
  };
  const id = notifications.show({
    message: ToastText({ message, ...(undo && { undo: takeBack }) }),
    color: tone === "failed" ? "red" : "mill",
    autoClose: tone === "failed" ? false : undo === undefined ? doneMs : undoMs,
    ...(onGone && { onClose: onGone }),
    closeButtonProps: { "aria-label": "Dismiss" },
    role: tone === "failed" ? "alert" : "status",
  });
  return () => notifications.hide(id);
}
