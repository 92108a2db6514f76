import { readBytes } from "./read-body.ts";

/** As much of a request as a trigger URL looks at, whoever received it. */
export interface IncomingCall {
  readonly method: string;
  readonly url: string;
  readonly headers: CallHeaders;
  /** The body. Throws PAYLOAD_TOO_LARGE. */
  bytes(bytesMax: number): Promise<Buffer>;
}

/** Lower-case names; repeated headers joined. */
export interface CallHeaders {
  get(name: string): string | null;
  /** All of them, in an object of the caller's own. */
  all(): Record<string, string>;
}

/** A request that Next received. */
export function callOf(request: Request): IncomingCall {
  const { method, url, headers } = request;
  return {
    method,
    url,
    headers: { get: (name) => headers.get(name), all: () => Object.fromEntries(headers) },
    bytes: (bytesMax) => readBytes(request, bytesMax),
  };
}
