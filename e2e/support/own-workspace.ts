import { afterAll, beforeAll } from "vitest";
import { callWith } from "./address.ts";
import { newTenant } from "./matrix/own-resources.ts";

/**
 * Sends all calls of a test file to a separate workspace, so that other files do not affect its subscriptions and
 * counts.
 */
export function inOwnWorkspace(name: string): void {
  beforeAll(async () => callWith((await newTenant(name)).key));
  afterAll(() => callWith(undefined));
}
