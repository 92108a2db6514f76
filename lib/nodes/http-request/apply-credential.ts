import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { type NodeContext, type NodeCredential, NodeFailure } from "#lib/nodes/define.ts";
import type { OutboundRequest } from "./outbound-request.ts";
import { addToQuery } from "./request.ts";

/** What a credential adds to a request: headers, or a query parameter in the URL. */
interface AppliedCredential {
  readonly headers: Readonly<Record<string, string>>;
}

const unusable: Readonly<Record<string, string>> = {
  secret: "it is a bare secret; write it where it belongs, as in {{ $credentials.NAME }} in a header",
  hmac: "it checks signatures of requests that come in and cannot sign those that go out",
  postgres: "it signs in to a database",
  mysql: "it signs in to a database",
  mssql: "it signs in to a database",
  sqlite: "it opens a database",
  smtp: "it signs in to a mail server",
  imap: "it signs in to a mailbox",
  openai: "it is for the nodes that ask a model",
  anthropic: "it is for the nodes that ask a model",
  "google-ai": "it is for the nodes that ask a model",
  custom:
    "its fields have no fixed place in a request; write them where they belong, as in {{ $credentials.NAME.field }}",
};

/** Adds the credential to the URL, or returns the headers to send. Throws if it cannot be used for this request. */
export function applyCredential(credential: NodeCredential, url: URL): AppliedCredential {
  if (!mayBeSentTo(credential.allowedHosts, url.hostname)) {
    const message = hostFailure(credential.name, credential.allowedHosts, url.hostname);
    throw new NodeFailure("CREDENTIAL_HOST", message, { field: "credential" });
  }
  const { data } = credential;
  switch (credential.type) {
    case "bearer":
      return { headers: { authorization: `Bearer ${field(credential, "token")}` } };
    case "oauth2":
      return { headers: { authorization: `Bearer ${field(credential, "accessToken")}` } };
    case "basic":
      return { headers: { authorization: `Basic ${base64(`${data.username ?? ""}:${data.password ?? ""}`)}` } };
    case "header":
      return { headers: { [field(credential, "name")]: field(credential, "value") } };
    case "query":
      addToQuery(url, field(credential, "name"), field(credential, "value"));
      return { headers: {} };
    default:
      throw invalidCredential(
        credential,
        unusable[credential.type] ?? `its type "${credential.type}" is not known here`,
      );
  }
}

function field(credential: NodeCredential, name: string): string {
  const value = credential.data[name];
  if (value === undefined || value === "") throw invalidCredential(credential, `its field "${name}" is empty`);
  return value;
}

function invalidCredential(credential: NodeCredential, reason: string): NodeFailure {
  const message = reason.replaceAll("NAME", credential.name);
  return new NodeFailure("CREDENTIAL_TYPE", `The credential "${credential.name}" cannot be used here: ${message}`, {
    field: "credential",
  });
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** `*.example.com` means every name below example.com, but not example.com itself. An empty list allows every host. */
export function mayBeSentTo(allowedHosts: readonly string[], hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return (
    allowedHosts.length === 0 ||
    allowedHosts.some((entry) => {
      const allowed = entry.trim().toLowerCase();
      return allowed.startsWith("*.") ? host.endsWith(allowed.slice(1)) : host === allowed;
    })
  );
}

/** Why a credential was not sent to a host. Names the host as a URL, in which masking ignores case. */
export function hostFailure(name: string, allowedHosts: readonly string[], hostname: string): string {
  return `The credential "${name}" may not be sent to https://${hostname}/: it is bound to ${allowedHosts.join(", ")}`;
}

/**
 * The headers that sign a request with an AWS access key (Signature Version 4). The bytes of a streamed body are not
 * signed, as S3 allows. Throws CREDENTIAL_HOST.
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
