/** Loads what opens later, once the page is idle: it opens at once then, also offline. Returns a function that stops it. */
export function preloadWhenIdle(): () => void {
  const load = () => {
    void Promise.allSettled([
      import("./canvas/note-text.tsx"),
      import("./panel/offer/offer-fields.tsx"),
      import("#components/credentials/credential-form.tsx"),
      import("#components/json/long-rows.tsx"),
      import("#components/page/explained.tsx"),
      // What is typed right after its key must not reach the canvas, where letters are shortcuts.
      import("#components/palette/palette.tsx"),
      import("#components/services/import-dialog.tsx"),
      import("#components/tests/test-form.tsx"),
      import("#components/executions/input-dialog.tsx"),
      import("#components/executions/waiting/wait-card.tsx"),
      import("#components/flows/delete-flow-dialog.tsx"),
      import("#components/backtests/backtest-dialog.tsx"),
    ]);
  };
  // Safari has no idle callbacks.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(load, 3_000);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(load);
  return () => window.cancelIdleCallback(handle);
}
