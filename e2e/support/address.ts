import { inject } from "vitest";
import "./shared-server.ts";

/** The running server under test. */
export const baseUrl = () => inject("server").url;
export const apiKey = () => ownKey ?? inject("server").apiKey;

let ownKey: string | undefined;

/** Calls use this key from now on; undefined is the server's own. Files share a process: each resets it at its end. */
export function callWith(key: string | undefined): void {
  ownKey = key;
}
