import { inject } from "vitest";
import "./shared-server.ts";

/** The running server that the tests call. */
export const baseUrl = () => inject("server").url;
export const apiKey = () => inject("server").apiKey;
