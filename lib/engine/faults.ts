/**
 * What may go wrong where a node reaches the outside. `killed-before`: the process ends when the step is recorded as begun,
 * before it acts. `killed-after`: it ends when the step has acted, before that is recorded.
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
