import { errors } from "undici";

/** The ways in which an outbound request can fail. */
const outboundErrorCodes = [
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

type OutboundErrorCode = (typeof outboundErrorCodes)[number];

/** `code` is for programs, `message` for people: it reveals no address behind a name, no query and no header value. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "OutboundError";
    this.code = code;
  }
}

/** Compares the name: another bundle may have its own copy of the class. */
export function isOutboundError(error: unknown): error is OutboundError {
  return error instanceof Error && error.name === "OutboundError";
}

interface Fault {
  readonly code: OutboundErrorCode;
  /** The beginning of a sentence; the host follows. */
  readonly message: string;
}

const connectFailed = (message: string): Fault => ({ code: "CONNECT_FAILED", message });
const reset: Fault = { code: "RESET", message: "The connection was closed before the response was complete" };
const badResponse = (message: string): Fault => ({ code: "BAD_RESPONSE", message });

const notHttp = badResponse("The response is not HTTP");

const faults: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: connectFailed("The connection was refused"),
  EHOSTUNREACH: connectFailed("The host cannot be reached"),
  EHOSTDOWN: connectFailed("The host is down"),
  ENETUNREACH: connectFailed("Its network cannot be reached"),
  ENETDOWN: connectFailed("The network is down"),
  EADDRNOTAVAIL: connectFailed("No connection could be made"),
  EACCES: connectFailed("No connection could be made"),
  EPERM: connectFailed("No connection could be made"),
  EINVAL: connectFailed("No connection could be made"),
  EMFILE: connectFailed("Too many connections are open"),
  ENFILE: connectFailed("Too many connections are open"),
  ETIMEDOUT: connectFailed("The host did not take the connection in time"),
  UND_ERR_CONNECT_TIMEOUT: connectFailed("The host did not take the connection in time"),
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: reset,
  UND_ERR_SOCKET: reset,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: reset,
  UND_ERR_HEADERS_OVERFLOW: badResponse("The response's headers are too large"),
  UND_ERR_DESTROYED: { code: "ABORTED", message: "The server is stopping" },
  UND_ERR_CLOSED: { code: "ABORTED", message: "The server is stopping" },
};

/** The beginnings of the codes of failures of TLS, and of decompression. */
const tlsCodes = [
  ...["ERR_TLS_", "ERR_SSL_", "CERT_", "CRL_", "UNABLE_TO_", "DEPTH_ZERO_", "SELF_SIGNED_"],
  ...["INVALID_CA", "INVALID_PURPOSE", "HOSTNAME_MISMATCH", "EPROTO"],
];
const compressionCodes = ["Z_", "ERR__ERROR", "ERR_BROTLI", "ERR_ZLIB", "ERR_PADDING", "ERR_STREAM_PREMATURE_CLOSE"];

const startsWithAny = (code: string, beginnings: readonly string[]) =>
  beginnings.some((beginning) => code.startsWith(beginning));

/** Translates failures: the libraries' messages contain addresses and change with their versions. */
export function translateError(error: unknown, host: string): unknown {
  if (error instanceof OutboundError) return error;
  const fault = error instanceof errors.HTTPParserError ? notHttp : faultOf(codeOf(error), error);
  if (fault === undefined) return error;
  return new OutboundError(fault.code, `${fault.message} (${host})`, { cause: error });
}

function faultOf(code: string | undefined, error: unknown): Fault | undefined {
  if (code === undefined) return undefined;
  const known = Object.hasOwn(faults, code) ? faults[code] : undefined;
  if (known) return known;
  if (startsWithAny(code, tlsCodes)) return { code: "TLS", message: `No secure connection could be made (${code})` };
  if (startsWithAny(code, compressionCodes)) return badResponse("The response's compression is broken");
  return error instanceof Error && "syscall" in error
    ? connectFailed(`No connection could be made (${code})`)
    : undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
