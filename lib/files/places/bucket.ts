// Files in a bucket on S3 or a compatible server. The operator may name any address, so requests use a separate
// outbound client that allows private addresses.
import { AwsV4Signer } from "aws4fetch";
import { AppError } from "#lib/errors.ts";
import { sleep } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import {
  createOutbound,
  type Outbound,
  type OutboundRequest,
  type OutboundStream,
} from "#lib/platform/outbound/outbound.ts";
import type { Bucket } from "#lib/platform/settings/files.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { Range } from "./disk.ts";

const outbound = (): Outbound => singleton("bucket-outbound", () => createOutbound({ allow: "0.0.0.0/0,::/0" }));

const headMs = 60_000;
/** The time limit of a whole upload. */
const uploadMs = 300_000;
/** The time limit between two chunks of a download. */
const idleMs = 60_000;
const triesMax = 3;
const firstPauseMs = 200;
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

interface BucketRequest {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly id: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sha256?: string;
  readonly body?: Exclude<OutboundRequest["body"], undefined>;
  readonly timeoutMs?: number;
}

/** Stores a file; `bytes` can be called again for a retry. Throws SERVICE_UNAVAILABLE. */
export async function keepInBucket(
  id: string,
  {
    size,
    sha256,
    contentType,
    open,
  }: { size: number; sha256: string; contentType: string; open(): AsyncIterable<Buffer> },
): Promise<void> {
  const headers = { "content-type": contentType };
  const body = { bytes: size, open };
  await sendSigned({ method: "PUT", id, headers, sha256, body, timeoutMs: uploadMs }, [200, 201, 204]);
}

/** The bytes of a file. Throws SERVICE_UNAVAILABLE. */
export async function readFromBucket(id: string, range?: Range): Promise<AsyncGenerator<Buffer, void, undefined>> {
  const headers = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` };
  return (await send({ method: "GET", id, headers }, [range === undefined ? 200 : 206])).body;
}

export async function removeFromBucket(id: string): Promise<void> {
  await sendSigned({ method: "DELETE", id }, [200, 204, 404]);
}

async function sendSigned(request: BucketRequest, statuses: readonly number[]): Promise<void> {
  const { body } = await send(request, statuses);
  for await (const _ of body);
}

/** Retries if the bucket is briefly unavailable. */
async function send(request: BucketRequest, statuses: readonly number[]): Promise<OutboundStream> {
  for (let tries = 1, pauseMs = firstPauseMs; ; tries += 1, pauseMs *= 2) {
    try {
      return await sendOnce(request, statuses);
    } catch (error) {
      const isFinal = error instanceof BucketRefused && error.status < 500 && error.status !== 429;
      if (!isFinal && tries < triesMax) {
        await sleep(pauseMs);
        continue;
      }
      logLine("warning", "A request to the file bucket failed", errorFields(error));
      throw new AppError("SERVICE_UNAVAILABLE", "The service cannot reach its files; try again shortly", {
        retryAfterSeconds: 5,
        cause: error,
      });
    }
  }
}

class BucketRefused extends Error {
  override readonly name = "BucketRefused";
  readonly status: number;

  constructor(method: string, status: number, text: string) {
    super(`${method} was answered with ${status}: ${text}`);
    this.status = status;
  }
}

const reasonBytesMax = 2_000;

async function sendOnce(bucketRequest: BucketRequest, statuses: readonly number[]): Promise<OutboundStream> {
  const { method, id, sha256 = emptyHash, body, timeoutMs = headMs } = bucketRequest;
  const { bucket } = env().files;
  if (bucket === undefined) throw new Error("FILES_S3_BUCKET is not set, but files are in a bucket");
  const url = `${bucket.url}${id.slice(-2)}/${id}`;
  const headers = await signed(bucket, {
    method,
    url,
    headers: { ...bucketRequest.headers, "x-amz-content-sha256": sha256 },
  });
  const request = { method, url, headers, timeoutMs, followRedirects: false, signal: new AbortController().signal };
  const maxBodyBytes = Number.MAX_SAFE_INTEGER;
  const answer = await outbound().open({ ...request, ...(body && { body }) }, { maxBodyBytes, idleMs });
  if (statuses.includes(answer.status)) return answer;
  let reason = "";
  for await (const part of answer.body) {
    reason += part.toString();
    if (reason.length > reasonBytesMax) break;
  }
  throw new BucketRefused(method, answer.status, reason.slice(0, reasonBytesMax));
}

async function signed(
  { region, accessKeyId, secretAccessKey }: Bucket,
  signedRequest: { method: string; url: string; headers: Record<string, string> },
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({ ...signedRequest, accessKeyId, secretAccessKey, region, service: "s3" });
  const { headers } = await signer.sign();
  // The stored bytes: nothing on the way may compress them.
  return { ...Object.fromEntries(headers), "accept-encoding": "identity" };
}
