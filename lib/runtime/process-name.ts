import { randomUUID } from "node:crypto";
import { singleton } from "#lib/platform/singleton.ts";

/** This process's name in leases. Unique, so that a restarted process has a different one. */
export function processName(): string {
  return singleton("process-name", () => `${process.pid}.${randomUUID()}`);
}
