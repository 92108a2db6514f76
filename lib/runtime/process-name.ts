import { randomUUID } from "node:crypto";
import { singleton } from "#lib/platform/singleton.ts";

/** The owner's name in leases. New for every process, so that a restarted one differs. */
export function processName(): string {
  return singleton("process-name", () => `${process.pid}.${randomUUID()}`);
}
