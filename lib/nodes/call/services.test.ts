// Every operation of every service against a local server: the request must be the one in the service's documentation.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOutbound } from "#lib/platform/outbound/outbound.ts";
import { allServices } from "#lib/services/model/all.ts";
import type { CredentialKind } from "#lib/services/model/service.ts";
import type { FileReference } from "../files/file-access.ts";
import { fakeRun } from "../http-request/fake-context.ts";
import { call } from "./call.ts";
import { google } from "./testing/documented-google.ts";
import { documentedExchange } from "./testing/documented-talk.ts";
import { trade } from "./testing/documented-trade.ts";
import { work } from "./testing/documented-work.ts";

interface Received {
  readonly line: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

let server: Server;
let received: Received[] = [];
const outbound = createOutbound({ allow: "127.0.0.1" });
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    response.setHeader("content-type", "application/json").end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());

const bytes = "what the file holds";
const reference: FileReference = {
  ...{ file: "file_1", name: "a.txt", contentType: "text/plain", size: bytes.length, sha256: "" },
};

/** The data of each kind of credential, and the resulting header. */
function credentialOf(kind: CredentialKind | undefined): { data: Record<string, string>; header: RegExp; in: string } {
  const name = kind?.name ?? "";
  const samples = {
    bearer: { data: { token: "the-token" }, header: /^Bearer the-token$/, in: "authorization" },
    oauth2: { data: { accessToken: "the-token" }, header: /^Bearer the-token$/, in: "authorization" },
    basic: { data: { username: "me", password: "pass" }, header: /^Basic bWU6cGFzcw==$/, in: "authorization" },
    header: { data: { name, value: "Bot the-token" }, header: /^Bot the-token$/, in: name.toLowerCase() },
    query: { data: { name, value: "the-token" }, header: /./, in: "host" },
    aws: {
      data: { accessKeyId: "AKIA1", secretAccessKey: "secret", region: "eu-central-1" },
      header:
        /^AWS4-HMAC-SHA256 Credential=AKIA1\/19700101\/eu-central-1\/s3\/aws4_request, SignedHeaders=\S*host\S*, Signature=[0-9a-f]{64}$/,
      in: "authorization",
    },
  };
  return samples[kind?.type ?? "bearer"];
}

const documented = { ...documentedExchange, ...work, ...google, ...trade };

describe.each(allServices)("$name", (service) => {
  const rows = documented[service.id] ?? [];

  test("has each of its operations in the table", () => {
    expect(rows.map(([operation]) => operation)).toEqual(service.operations.map(({ id }) => id));
  });

  test.each(rows.map((row) => ({ operation: row[0], row })))("$operation", async ({ row }) => {
    const [operation, parameters, body, line, sent] = row;
    received = [];
    const [kind] = service.credentials;
    const sample = credentialOf(kind);
    const fake = fakeRun([], { type: kind?.type ?? "", data: sample.data });
    const stored: FileReference[] = [];
    const files = {
      find: async () => reference,
      async *open() {
        yield Buffer.from(bytes);
      },
      withoutSecrets: async (value: unknown) => value,
      textWithoutSecrets: (bytes: AsyncIterable<Uint8Array>) => bytes,
      save: async () => {
        stored.push(reference);
        return reference;
      },
    };
    const { port } = server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}${new URL(service.baseUrl ?? "http://x").pathname}`;
    const withFile = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, value === "FILE" ? reference : value]),
    );
    const config = { service: service.id, operation, credential: "c", baseUrl, parameters, body: withFile };
    const begun = await call.run(call.config.parse(config), {
      ...fake.context,
      request: (request) => outbound.send(request),
      open: (request) => outbound.open(request, { maxBodyBytes: 1_000 }),
      files: files as never,
    });
    const [only] = received;
    expect(received).toHaveLength(1);
    expect(only?.line).toBe(line);
    if (kind?.inPath !== true) expect(only?.headers[sample.in]).toMatch(sample.header);
    expect(only?.headers).toMatchObject(service.headers ?? {});
    expectBody(only?.body ?? "", only?.headers["content-type"], sent === "same" ? body : sent);
    const answersFile = service.operations.find(({ id }) => id === operation)?.answers === "file";
    expect(begun).toEqual({ output: answersFile ? reference : { ok: true } });
    expect(stored).toHaveLength(answersFile ? 1 : 0);
  });
});

function expectBody(body: string, type: unknown, sent: unknown): void {
  if (sent === undefined) expect(body).toBe("");
  else if (sent === "the file's bytes") expect([body, type]).toEqual([bytes, "text/plain"]);
  else if (sent === "form with file") {
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toContain(bytes);
  } else if (typeof sent === "string") expect(body).toBe(sent);
  else {
    expect(type).toBe("application/json");
    expect(JSON.parse(body)).toMatchObject(sent as object);
  }
}
