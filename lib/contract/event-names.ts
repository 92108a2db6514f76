/** Events of a run, with their names for subscriptions; names in one row are aliases. */
export const eventAliases = {
  started: ["execution.started", "flow.execution.started"],
  completed: ["execution.completed", "flow.execution.completed"],
  failed: ["execution.failed", "flow.execution.failed"],
  cancelled: ["execution.cancelled", "flow.execution.cancelled"],
} as const;
/** An event of the workspace, not of a run. */
export const alertEvent = "alert.fired";
export const eventNames = [...Object.values(eventAliases).flat(), alertEvent] as const;
export type EventName = (typeof eventNames)[number];
