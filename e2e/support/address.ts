import { inject } from "vitest";
import "./shared-server.ts";

/** The running server that the tests call. */
export const baseUrl = () => inject("server").url;
export const apiKey = () => ownKey ?? inject("server").apiKey;

let ownKey: string | undefined;

/** From now on this file's calls are made with this key. */
export function callWith(key: string): void {
  ownKey = key;
}
