// Files on their way through flows: from trigger URLs, through expressions, nodes and other services, and out again.
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { apiKey, baseUrl } from "#e2e/support/address.ts";
import { send } from "#e2e/support/api-client.ts";
import { createFlow, edge, node, run } from "#e2e/support/flows.ts";

interface Reference {
  readonly file: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
async function upload(bytes: Buffer | string, name: string, type = "application/octet-stream"): Promise<Reference> {
  const path = `/files?name=${encodeURIComponent(name)}`;
  const answer = await send<Reference>("POST", path, bytes as BodyInit, { headers: { "content-type": type } });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}
async function bytesOf({ file }: Reference): Promise<Buffer> {
  const answer = await fetch(`${baseUrl()}/api/v1/files/${file}`, { headers: { authorization: `Bearer ${apiKey()}` } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** The URL of a flow that answers with what it was called with. */
async function echoUrl(trigger: object = { type: "webhook", config: {} }): Promise<string> {
  const nodes = [node("echo", "transform", { transform: "{{ $trigger.body }}" })];
  const { trigger: made } = await createFlow({ trigger, nodes, status: "active" });
  return `${baseUrl()}${new URL(made.config.url).pathname}`;
}

/** What another service received, and what it answers with. */
async function otherService(answer: Buffer) {
  const received: { headers: Record<string, unknown>; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push({ headers: request.headers, body: Buffer.concat(parts) });
    if (request.url?.startsWith("/pages")) {
      const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
      const next = page < 3 ? `/pages?page=${page + 1}` : null;
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ data: [page], next }));
    }
    if (request.url === "/refused") return void response.writeHead(403).end("no such thing");
    response.writeHead(200, {
      "content-type": "application/pdf",
      "content-disposition": 'attachment; filename="answer.pdf"',
    });
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

describe("a call to a trigger URL", () => {
  // Proves files.trigger
  it("brings the files of a form, and large bytes, by reference", async () => {
    const url = await echoUrl();
    const photo = randomBytes(300_000);
    const form = new FormData();
    form.set("name", "Ada");
    form.set("photo", new File([photo], "photo.png", { type: "image/png" }));
    const answered = (await (await fetch(url, { method: "POST", body: form })).json()) as {
      name: string;
      photo: Reference;
    };
    expect(answered).toMatchObject({
      name: "Ada",
      photo: { name: "photo.png", contentType: "image/png", size: 300_000 },
    });
    expect((await bytesOf(answered.photo)).equals(photo)).toBe(true);
    const large = await fetch(url, { method: "POST", body: photo, headers: { "content-type": "image/png" } });
    expect(await large.json()).toMatchObject({ contentType: "image/png", sha256: hashOf(photo) });
    const small = await fetch(url, {
      method: "POST",
      body: photo.subarray(0, 100),
      headers: { "content-type": "image/png" },
    });
    expect(await small.json()).toBe(photo.subarray(0, 100).toString("base64"));
  });

  // Proves files.trigger
  it("sends a form's file field", async () => {
    const fields = [
      { name: "who", type: "text" },
      { name: "document", type: "file", required: true },
    ];
    const url = await echoUrl({ type: "form", config: { fields } });
    const page = await (await fetch(url)).text();
    expect(page).toContain('enctype="multipart/form-data"');
    expect(page).toContain('<input type="file" name="document"');
    const form = new FormData();
    form.set("who", "Ada");
    form.set("document", new File([], ""));
    const refused = await fetch(url, { method: "POST", body: form, headers: { accept: "application/json" } });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { details: { document: "is required" } } },
    ]);
    form.set("document", new File(["hello"], "a.txt", { type: "text/plain" }));
    const taken = await fetch(url, { method: "POST", body: form, headers: { accept: "application/json" } });
    expect(await taken.json()).toMatchObject({ who: "Ada", document: { name: "a.txt", size: 5 } });
  });
});

describe("a flow", () => {
  it("is told how much of a file it may read: a CSV of a million rows is no list", async () => {
    const file = await upload(Buffer.from(`name,age\n${"Ann,42\n".repeat(1_000_000)}`), "people.csv", "text/csv");
    const rows = node("rows", "convert", { from: "csv", to: "json", value: "{{ $file.text($trigger.body.file) }}" });
    const loop = node("each", "loop", {
      items: "{{ $nodes['rows'].output }}",
      body: { nodes: [node("log", "log", {})] },
    });
    const refused = await run([rows, loop], [edge("rows", "each")], { file });
    expect(refused.status).toBe("failed");
    expect(refused.error).toMatchObject({
      nodeId: "rows",
      message: expect.stringContaining("at most 1 MiB of a file"),
    });
  });

  // Proves files.expressions
  it("reads files in expressions and in code", async () => {
    const file = await upload('{"lines": [1, 2, 3]}', "data.json", "application/json");
    const transform = {
      sum: "{{ $file.json($trigger.body.file).lines.reduce((a, b) => a + b, 0) }}",
      text: "{{ $file.text($trigger.body.file).slice(0, 8) }}",
    };
    const code = "return $file.base64($trigger.body.file).length;";
    const result = await run(
      [
        node("read", "transform", { transform }),
        node("count", "code", { code }),
        node("end", "transform", {
          transform: { read: "{{ $nodes['read'].output }}", length: "{{ $nodes['count'].output }}" },
        }),
      ],
      [edge("read", "count"), edge("count", "end")],
      { file },
    );
    expect([result.error, result.output]).toMatchObject([
      undefined,
      { read: { sum: 6, text: '{"lines"' }, length: 28 },
    ]);
  });

  // Proves files.node
  it("writes, reads, signs, lists and deletes files", async () => {
    const path = `reports/${randomBytes(6).toString("hex")}.csv`;
    const result = await run(
      [
        node("write", "file", { action: "write", path, content: "a,b\n1,2\n", contentType: "text/csv" }),
        node("sign", "file", { action: "sign", path }),
        node("list", "file", { action: "list", path }),
      ],
      [edge("write", "sign"), edge("sign", "list")],
    );
    expect(result.error).toBeUndefined();
    const { files } = result.output as { files: Reference[] };
    expect(files).toMatchObject([{ name: path, contentType: "text/csv", size: 8 }]);
    const signed = await run([node("sign", "file", { action: "sign", file: files[0] })]);
    const { url } = signed.output as { url: string };
    const read = await fetch(`${baseUrl()}${new URL(url).pathname}${new URL(url).search}`);
    expect([read.status, await read.text(), read.headers.get("content-length")]).toEqual([200, "a,b\n1,2\n", "8"]);
    expect((await run([node("delete", "file", { action: "delete", path })])).output).toEqual({ deleted: 1 });
    const missing = await run([node("read", "file", { path })]);
    expect(missing.error).toMatchObject({ message: expect.stringMatching(/There is no file/) });
  });

  // Proves files.requests
  it("sends files in forms and alone, and stores answers as files", async () => {
    const content = randomBytes(400_000);
    const other = await otherService(content);
    const file = await upload(content, 'in "quotes".bin', "image/webp");
    const sent = await run(
      [
        node("form", "http-request", {
          method: "POST",
          url: other.url,
          bodyType: "multipart",
          body: { note: "größe", files: ["{{ $trigger.body.file }}", "{{ $trigger.body.file }}"] },
          responseType: "file",
        }),
        node("raw", "http-request", {
          method: "PUT",
          url: other.url,
          bodyType: "file",
          body: "{{ $trigger.body.file }}",
          responseType: "file",
        }),
      ],
      [edge("form", "raw")],
      { file },
    );
    expect(sent.error).toBeUndefined();
    const { body } = sent.output as { body: Reference };
    expect(body).toMatchObject({ name: "answer.pdf", contentType: "application/pdf", sha256: hashOf(content) });
    const [form, raw] = other.received;
    expect(Number(form?.headers["content-length"])).toBe(form?.body.length);
    const parsed = await new Response(form?.body as unknown as BodyInit, {
      headers: { "content-type": String(form?.headers["content-type"]) },
    }).formData();
    expect(parsed.get("note")).toBe("größe");
    const [first, second] = parsed.getAll("files") as File[];
    expect([first?.type, first?.size, second?.size]).toEqual(["image/webp", 400_000, 400_000]);
    expect(hashOf(Buffer.from((await first?.arrayBuffer()) as ArrayBuffer))).toBe(file.sha256);
    expect([raw?.headers["content-type"], hashOf(raw?.body ?? Buffer.alloc(0))]).toEqual(["image/webp", file.sha256]);
    const refused = await run([node("get", "http-request", { url: `${other.url}/refused`, responseType: "file" })]);
    expect(refused.error).toMatchObject({ message: expect.stringMatching(/answered 403: no such thing/) });
  });

  // Proves files.pages
  it("requests page after page", async () => {
    const other = await otherService(Buffer.from(""));
    const pagination = { next: "$response.body.next", items: "$response.body.data.map((n) => n * 10)" };
    const result = await run([node("list", "http-request", { url: `${other.url}/pages`, pagination })]);
    expect([result.error, result.output]).toMatchObject([
      undefined,
      { status: 200, body: [10, 20, 30], pages: 3, isComplete: true },
    ]);
  });
});
