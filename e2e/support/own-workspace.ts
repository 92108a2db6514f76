import { beforeAll } from "vitest";
import { callWith } from "./address.ts";
import { newTenant } from "./matrix/own-things.ts";

/**
 * Sends all calls of a test file to a separate workspace, so that its subscriptions and counts are of its own runs,
 * whatever other files do.
 */
export function inOwnWorkspace(name: string): void {
  beforeAll(async () => callWith((await newTenant(name)).key));
}
