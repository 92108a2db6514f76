import { randomUUID } from "node:crypto";
import { plainJson } from "./envelope.ts";
import type { PlainAnswer } from "./plain-answer.ts";
import { refuseUnroutedMethod } from "./unrouted-method.ts";

/** Why Node's server gave a request up before anything could handle it. */
export interface UnreadableRequest {
  readonly code?: string;
  /** What came of it, as far as it came. */
  readonly rawPacket?: Uint8Array;
}

/** A status and a reason for what has no code of its own in the API. */
const causes: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The request's chunk extensions are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not come in time"],
};
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) (\/[^ \r\n]*) HTTP\/1\.[01]\r?\n/;

/**
 * The answer, byte by byte, to a request that Node's server cannot read: a method that HTTP does not know on a path of
 * the API is refused as any other that the path does not take, all else is said in the envelope to be no request.
 */
export async function answerUnreadable({ code = "", rawPacket }: UnreadableRequest): Promise<string> {
  const { status, headers, body } = refuseMethod(code, rawPacket) ?? refuse(code);
  const length = { "content-length": String(Buffer.byteLength(body ?? "")), connection: "close" };
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reasons[status] ?? "Bad Request"}\r\n${lines.join("")}\r\n${body ?? ""}`;
}

const reasons: Readonly<Record<number, string>> = {
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

function refuseMethod(code: string, rawPacket: Uint8Array | undefined): PlainAnswer | null {
  if (code !== "HPE_INVALID_METHOD" || rawPacket === undefined) return null;
  const line = requestLine.exec(Buffer.from(rawPacket).toString("latin1"));
  return line === null ? null : refuseUnroutedMethod(String(line[1]), String(line[2]));
}

function refuse(code: string): PlainAnswer {
  const [status, message] = causes[code] ?? [400, "This is not an HTTP request that can be read"];
  const error = { code: "VALIDATION_ERROR", message };
  return plainJson(status, { success: false, error }, { "x-request-id": randomUUID() });
}
