import type { SimpleRun } from "./simple-program.ts";

/** Each own property of an object, in its order. Paid for one by one: a list of all would be made before it is too much. */
export function eachOwn(
  run: SimpleRun,
  value: Readonly<Record<string, unknown>>,
  take: (key: string, own: unknown) => void,
): void {
  for (const key in value) {
    run.spend(2);
    if (Object.hasOwn(value, key)) take(key, value[key]);
  }
}
