import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { type NodeContext, type NodeCredential, NodeFailure } from "../define.ts";
import { hostFailure, mayBeSentTo } from "./apply-credential.ts";
import type { OutboundRequest } from "./outbound-request.ts";

/**
 * The headers that sign a request with an access key of AWS (Signature Version 4). Of a body that is streamed, the bytes
 * are not signed, as S3 allows. Throws CREDENTIAL_HOST.
 */
export async function awsHeaders(
  credential: NodeCredential,
  { method, url, headers, body }: Pick<OutboundRequest, "method" | "url" | "headers" | "body">,
  { now }: Pick<NodeContext, "now">,
): Promise<Record<string, string>> {
  const { hostname } = new URL(url);
  if (!mayBeSentTo(credential.allowedHosts, hostname)) {
    const message = hostFailure(credential.name, credential.allowedHosts, hostname);
    throw new NodeFailure("CREDENTIAL_HOST", message, { field: "credential" });
  }
  const { accessKeyId = "", secretAccessKey = "", sessionToken, region, service = "s3" } = credential.data;
  const isStreamed = body !== undefined && typeof body !== "string";
  const hash = typeof body === "string" && service === "s3" ? { "x-amz-content-sha256": sha256(body) } : {};
  const signer = new AwsV4Signer({
    headers: { ...headers, ...hash },
    ...{ method, url, accessKeyId, secretAccessKey, service },
    ...(region === undefined ? {} : { region }),
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(isStreamed || body === undefined ? {} : { body }),
    datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
