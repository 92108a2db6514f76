import { randomUUID } from "node:crypto";
import { singleton } from "#lib/platform/singleton.ts";

/** What leases say of who holds them. New with every process, so that a restarted one is another. */
export function processName(): string {
  return singleton("process-name", () => `${process.pid}.${randomUUID()}`);
}
