/** What can happen to a run, and the names under which subscriptions ask for it: those of one row are aliases. */
export const eventAliases = {
  started: ["execution.started", "flow.execution.started"],
  completed: ["execution.completed", "flow.execution.completed"],
  failed: ["execution.failed", "flow.execution.failed"],
  cancelled: ["execution.cancelled", "flow.execution.cancelled"],
} as const;
export const eventNames = Object.values(eventAliases).flat();
export type EventName = (typeof eventNames)[number];
