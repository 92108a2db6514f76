import { inject } from "vitest";
import "./shared-server.ts";

/** The running server under test. */
export const baseUrl = () => inject("server").url;
export const apiKey = () => ownKey ?? inject("server").apiKey;

let ownKey: string | undefined;

/** This file's calls use this key from now on. */
export function callWith(key: string): void {
  ownKey = key;
}
