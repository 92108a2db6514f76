// A case of the conformance suite, and what its cases share.
import { node } from "../flows.ts";
import type { Driver } from "./driver.ts";

export interface Case {
  readonly name: string;
  readonly check: (driver: Driver) => Promise<void>;
}

/** A node that calls the server at a path with the node's name. */
export const callNode = (id: string, url: string, config: Record<string, unknown> = {}) =>
  node(id, "http-request", { url: `${url}/${id}`, ...config });

/** Requests by path, in order of arrival. */
export const paths = (received: readonly { url: string }[]) => received.map(({ url }) => url.slice(1));
