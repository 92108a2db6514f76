import { errors } from "undici";
import { OutboundError, type OutboundErrorCode } from "./outbound-error.ts";

interface Fault {
  readonly code: OutboundErrorCode;
  /** Completes "<host>: …". */
  readonly words: string;
}

const connectFailed = (words: string): Fault => ({ code: "CONNECT_FAILED", words });
const reset: Fault = { code: "RESET", words: "the connection was closed before the answer was complete" };
const badResponse = (words: string): Fault => ({ code: "BAD_RESPONSE", words });

const notHttp = badResponse("the answer is not HTTP");

const faults: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: connectFailed("the connection was refused"),
  EHOSTUNREACH: connectFailed("the host cannot be reached"),
  EHOSTDOWN: connectFailed("the host is down"),
  ENETUNREACH: connectFailed("its network cannot be reached"),
  ENETDOWN: connectFailed("the network is down"),
  EADDRNOTAVAIL: connectFailed("no connection could be made"),
  EACCES: connectFailed("no connection could be made"),
  EPERM: connectFailed("no connection could be made"),
  EINVAL: connectFailed("no connection could be made"),
  EMFILE: connectFailed("too many connections are open"),
  ENFILE: connectFailed("too many connections are open"),
  ETIMEDOUT: connectFailed("the host did not take the connection in time"),
  UND_ERR_CONNECT_TIMEOUT: connectFailed("the host did not take the connection in time"),
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: reset,
  UND_ERR_SOCKET: reset,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: reset,
  UND_ERR_HEADERS_OVERFLOW: badResponse("the answer's headers are too large"),
  UND_ERR_DESTROYED: { code: "ABORTED", words: "the service is stopping" },
  UND_ERR_CLOSED: { code: "ABORTED", words: "the service is stopping" },
};

const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO)/;
const compressionCode = /^(Z_|ERR__ERROR|ERR_BROTLI|ERR_ZLIB|ERR_PADDING|ERR_STREAM_PREMATURE_CLOSE)/;

/** What failed, in our words: those of the libraries below name addresses, and change with their versions. */
export function translateError(error: unknown, host: string): unknown {
  if (error instanceof OutboundError) return error;
  const fault = error instanceof errors.HTTPParserError ? notHttp : faultOf(codeOf(error), error);
  if (fault === undefined) return error;
  return new OutboundError(fault.code, `${host}: ${fault.words}`, { cause: error });
}

function faultOf(code: string | undefined, error: unknown): Fault | undefined {
  if (code === undefined) return undefined;
  const known = Object.hasOwn(faults, code) ? faults[code] : undefined;
  if (known) return known;
  if (tlsCode.test(code)) return { code: "TLS", words: `no secure connection could be made (${code})` };
  if (compressionCode.test(code)) return badResponse("the answer's compression is broken");
  return error instanceof Error && "syscall" in error
    ? connectFailed(`no connection could be made (${code})`)
    : undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
