/** Every way in which a request through the guarded door can fail to get an answer. */
export const outboundErrorCodes = [
  "BLOCKED_ADDRESS",
  "DNS_FAILED",
  "CONNECT_FAILED",
  "TIMEOUT",
  "RESET",
  "TLS",
  "BAD_RESPONSE",
  "RESPONSE_TOO_LARGE",
  "TOO_MANY_REDIRECTS",
  "BAD_URL",
  "BAD_METHOD",
  "BAD_HEADER",
  "ABORTED",
] as const;

export type OutboundErrorCode = (typeof outboundErrorCodes)[number];

/** `code` is for programs, `message` for people: it names no address behind a name, no query and no header's value. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "OutboundError";
    this.code = code;
  }
}

/** By its name: the door may have been bundled with a class of its own. */
export function isOutboundError(error: unknown): error is OutboundError {
  return error instanceof Error && error.name === "OutboundError";
}
