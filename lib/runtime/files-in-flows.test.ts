// Files in runs, with a real database, sandbox, disk and network.
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openMailbox } from "#e2e/support/mailbox.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { saveFile } from "#lib/files/save-file.ts";
import { openSigned } from "#lib/files/signed-address.ts";
import { findFile, readFileBytes } from "#lib/files/use-files.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";

const box = await openMailbox();
Object.assign(process.env, {
  DATA_DIR: mkdtempSync(join(tmpdir(), "files-")),
  OUTBOUND_ALLOW: "127.0.0.1",
  FILES_INLINE_MAX: "1000",
  SMTP_URL: box.url,
  MAIL_FROM: "Flows <flows@shop.example>",
});

interface Received {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

let actor: Actor;
let url: string;
let received: Received[];
const content = randomBytes(400_000);
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  received.push({ headers: request.headers, body: Buffer.concat(parts) });
  if (request.url?.startsWith("/pages")) {
    const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
    const body = { data: [page], next: page < 3 ? `/pages?page=${page + 1}` : null };
    return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
  if (request.url === "/refused") return void response.writeHead(403).end("no such thing");
  if (request.url === "/cut") {
    response.writeHead(200, { "content-length": "1000000" }).write(content);
    return void setImmediate(() => response.destroy());
  }
  const disposition = 'attachment; filename="answer.pdf"';
  response.writeHead(200, { "content-type": "application/pdf", "content-disposition": disposition }).end(content);
});
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await outsideWorld().sandbox.close();
  await outsideWorld().outbound.close();
  await box.close();
});
beforeEach(() => {
  received = [];
});

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
async function newFile(bytes: Buffer | string, name: string, contentType: string): Promise<FileReference> {
  async function* parts() {
    yield Buffer.from(bytes);
  }
  return await saveFile(actor.workspaceId, { name, contentType, bytes: parts() });
}

/** Runs a flow with a body; returns its end and its recorded file references. */
async function run(nodes: FlowNode[], edges: FlowEdge[] = [], body: unknown = {}) {
  const flow = await storedFlow(actor, nodes, edges);
  const trigger = triggerTextOf({ body, headers: {}, query: {}, method: "POST" });
  const request = {
    triggerType: "manual",
    trigger,
    source: "api",
    ip: null,
    userAgent: null,
    leaseOwner: null,
  } as const;
  const execution = newExecution(flow, request);
  await insertExecution(execution);
  const claim = (await claimRuns(100)).find((claimed) => claimed.run.id === execution.id);
  if (claim === undefined) throw new Error("the run was not taken");
  await driveRun(claim.run, claim.recorded);
  const { output, error } = await readExecution(actor, execution.id, { includeLogs: false, includeNodeOutputs: false });
  const named = await queryPlanned("SELECT file_id FROM file_reference WHERE owner_id = $1", [execution.id]);
  return { output, error, named: named.length };
}

test("expressions and code read files", async () => {
  const file = await newFile('{"lines": [1, 2, 3]}', "data.json", "application/json");
  const sum = "{{ $file.json($trigger.body.file).lines.reduce((a, b) => a + b, 0) }}";
  const text = "{{ $file.text($trigger.body.file).slice(0, 8) }}";
  const result = await run(
    [
      node("read", "transform", { transform: { sum, text } }),
      node("count", "code", { code: "return $file.base64($trigger.body.file).length;" }),
      node("end", "transform", { transform: "{{ [$nodes['read'].output, $nodes['count'].output] }}" }),
    ],
    [edge("read -> count"), edge("count -> end")],
    { file },
  );
  expect([result.error, result.output, result.named]).toEqual([undefined, [{ sum: 6, text: '{"lines"' }, 28], 1]);
  const missing = await run([node("read", "transform", { transform: "{{ $file.text('file_none') }}" })]);
  expect(missing.error).toMatchObject({ code: "FILE_NOT_FOUND" });
});

test("the file node writes, finds, signs, lists and deletes", async () => {
  const path = "reports/today.csv";
  const result = await run(
    [
      node("write", "file", { action: "write", path, content: "a,b\n1,2\n", contentType: "text/csv" }),
      node("sign", "file", { action: "sign", path }),
    ],
    [edge("write -> sign")],
  );
  expect([result.error, result.output, result.named]).toMatchObject([
    undefined,
    { name: path, contentType: "text/csv", size: 8 },
    1,
  ]);
  const { file, ...signed } = result.output as { file: string; url: string };
  const { searchParams } = new URL(signed.url);
  const [expires, signature] = [searchParams.get("expires") ?? "", searchParams.get("signature") ?? ""];
  expect((await openSigned(file, expires, signature)).file.name).toBe(path);
  const other = await newFile("x", "other", "text/plain");
  for (const [id, until, by] of [
    [other.file, expires, signature],
    [file, String(Number(expires) + 1), signature],
    [file, expires, `${signature}A`],
  ] as const) {
    await expect(openSigned(id, until, by)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect((await run([node("list", "file", { action: "list", path: "reports/" })])).output).toMatchObject({
    files: [{ file, name: path }],
  });
  expect((await run([node("delete", "file", { action: "delete", path })])).output).toEqual({ deleted: 1 });
  expect((await run([node("read", "file", { path })])).error).toMatchObject({ code: "FILE_NOT_FOUND" });
});

test("requests send files in forms and as bodies, and store answers as files", async () => {
  const file = await newFile(content, 'in "quotes".bin', "image/webp");
  const reference = "{{ $trigger.body.file }}";
  const result = await run(
    [
      node("form", "http-request", {
        method: "POST",
        url,
        bodyType: "multipart",
        body: { note: "größe", files: [reference, reference] },
        responseType: "file",
      }),
      node("raw", "http-request", { method: "PUT", url, bodyType: "file", body: reference, responseType: "file" }),
    ],
    [edge("form -> raw")],
    { file },
  );
  expect(result.error).toBeUndefined();
  const { body } = result.output as { body: FileReference };
  expect(body).toMatchObject({ name: "answer.pdf", contentType: "application/pdf", sha256: hashOf(content) });
  expect((await readFileBytes(await findFile(actor.workspaceId, body.file))).equals(content)).toBe(true);
  expect(result.named).toBe(3);
  const [form, raw] = received;
  expect(Number(form?.headers["content-length"])).toBe(form?.body.length);
  const headers = { "content-type": String(form?.headers["content-type"]) };
  const parsed = await new Response(form?.body as unknown as BodyInit, { headers }).formData();
  expect(parsed.get("note")).toBe("größe");
  const sent = parsed.getAll("files") as File[];
  expect(sent.map(({ type, size }) => [type, size])).toEqual([
    ["image/webp", 400_000],
    ["image/webp", 400_000],
  ]);
  expect(hashOf(Buffer.from((await sent[1]?.arrayBuffer()) as ArrayBuffer))).toBe(file.sha256);
  expect([raw?.headers["content-type"], hashOf(raw?.body ?? Buffer.alloc(0))]).toEqual(["image/webp", file.sha256]);
});

test("answers that are refused or truncated store nothing", async () => {
  const count = async () => (await queryPlanned("SELECT 1 FROM file WHERE state <> 'removed'", [])).length;
  const before = await count();
  const refused = await run([node("get", "http-request", { url: `${url}/refused`, responseType: "file" })]);
  expect(refused.error?.message).toMatch(/answered 403: no such thing/);
  const cut = await run([node("get", "http-request", { url: `${url}/cut`, responseType: "file" })]);
  expect(cut.error).toMatchObject({ code: "RESET" });
  expect(await count()).toBe(before);
});

test("a request reads the pages of a list", async () => {
  const pagination = { next: "$response.body.next", items: "$response.body.data.map((n) => n * 10)" };
  const result = await run([node("list", "http-request", { url: `${url}/pages`, pagination })]);
  expect([result.error, result.output]).toMatchObject([
    undefined,
    { status: 200, body: [10, 20, 30], pages: 3, isComplete: true },
  ]);
});

test("a mail has attachments", async () => {
  const file = await newFile("hello, world", "notes/größe.txt", "text/plain");
  const mail = { to: "ann@example.com", subject: "Files", text: "See there.", attachments: ["{{ $trigger.body }}"] };
  const result = await run([node("send", "send-mail", mail)], [], { ...file });
  expect(result.error).toBeUndefined();
  const text = box.mails.at(-1)?.text ?? "";
  expect(text).toMatch(/content-disposition: attachment/i);
  expect(text).toMatch(/hello, world|aGVsbG8sIHdvcmxk/);
  const large = await newFile(Buffer.alloc(11_000_000), "large", "text/plain");
  const both = await run([node("send", "send-mail", { ...mail, attachments: [{ ...large }, { ...large }] })]);
  expect(both.error).toMatchObject({ code: "FILE_TOO_LARGE" });
});
