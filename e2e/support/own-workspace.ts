import { beforeAll } from "vitest";
import { callWith } from "./address.ts";
import { newTenant } from "./matrix/own-things.ts";

/**
 * Makes all calls of a test file go to a workspace of its own: what it subscribes to and counts is of its own runs,
 * whatever other files do meanwhile.
 */
export function inOwnWorkspace(name: string): void {
  beforeAll(async () => callWith((await newTenant(name)).key));
}
