// The part of S3 that Millrace uses: PUT, GET with a range, DELETE. Checks each request's Signature Version 4 and the
// hash of uploads.
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeBucket {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  readonly refused: string[];
  /** Answers the next requests with this status. */
  fail(status: number, times: number): void;
  close(): Promise<void>;
}

export const bucketKeys = { id: "AKIDEXAMPLE", secret: "a-secret-of-the-bucket" } as const;

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

/** What is wrong with the request's signature; undefined for nothing. */
function wrongSignature({ method, url = "", headers }: IncomingMessage): string | undefined {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    );
  if (parts === null) return `no signature: ${headers.authorization}`;
  const [, id, day = "", region = "", signed = "", signature] = parts;
  if (id !== bucketKeys.id) return `the key ${id}`;
  const names = signed.split(";");
  const canonical = [
    method,
    url.split("?")[0],
    "",
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signed,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], `${day}/${region}/s3/aws4_request`, sha256(canonical)];
  const key = hmac(hmac(hmac(hmac(`AWS4${bucketKeys.secret}`, day), region), "s3"), "aws4_request");
  return hmac(key, toSign.join("\n")).toString("hex") === signature ? undefined : "another signature";
}

export async function startFakeBucket(): Promise<FakeBucket> {
  const objects = new Map<string, Buffer>();
  const refused: string[] = [];
  let failing = { status: 500, times: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const key = request.url ?? "";
    if (failing.times > 0) {
      failing.times -= 1;
      return void response.writeHead(failing.status).end("<Error>not now</Error>");
    }
    const wrong = wrongSignature(request);
    const isOther = request.method === "PUT" && sha256(body) !== request.headers["x-amz-content-sha256"];
    if (wrong !== undefined || isOther) {
      refused.push(wrong ?? "another hash");
      return void response.writeHead(403).end("<Error>SignatureDoesNotMatch</Error>");
    }
    if (request.method === "PUT") objects.set(key, body);
    if (request.method === "PUT") return void response.writeHead(200).end();
    if (request.method === "DELETE") objects.delete(key);
    if (request.method === "DELETE") return void response.writeHead(204).end();
    const object = objects.get(key);
    if (object === undefined) return void response.writeHead(404).end("<Error>NoSuchKey</Error>");
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (range === null) return void response.writeHead(200, { "content-length": object.length }).end(object);
    return void response.writeHead(206).end(object.subarray(Number(range[1]), Number(range[2]) + 1));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refused,
    fail: (status, times) => {
      failing = { status, times };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
