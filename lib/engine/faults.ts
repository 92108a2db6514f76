/**
 * Faults that can be injected into a node that reaches the outside. `killed-before`: the process dies after the step is
 * recorded as started, before it acts. `killed-after`: it dies after the step has acted, before its outcome is
 * recorded.
 */
export const faults = [
  "no-answer",
  "timeout",
  "status-500",
  "status-429",
  "bad-json",
  "empty",
  "killed-before",
  "killed-after",
] as const;
export type Fault = (typeof faults)[number];
