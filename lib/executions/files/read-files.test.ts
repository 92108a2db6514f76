// What $file reads for expressions, with real files and a real sandbox.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { evaluateExpression } from "#lib/executions/nodes/evaluate-expression.ts";
import { saveFile } from "#lib/files/save-file.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";

process.env.DATA_DIR = mkdtempSync(join(tmpdir(), "files-"));
let actor: Actor;
const sandbox = createSandbox({ children: 1 });
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});
afterAll(() => sandbox.close());

async function newFile(content: string | Buffer, owner = actor) {
  async function* bytes() {
    yield Buffer.from(content);
  }
  return await saveFile(owner.workspaceId, { name: "x", contentType: "text/plain", bytes: bytes() });
}
async function evaluated(expression: string, body: unknown, by = actor) {
  const context = { trigger: { body } };
  return await evaluateExpression(by, { expression, field: "template", context } as never, sandbox);
}
const reading = async (method: string, file: unknown) => await evaluated(`{{ $file.${method}($trigger.body) }}`, file);

describe("$file", () => {
  test("gives a file's text, value or base64, by its reference or its id", async () => {
    const file = await newFile('{"größe": [1, 2]}');
    expect(await reading("text", file)).toMatchObject({ ok: true, value: '{"größe": [1, 2]}' });
    expect(await reading("json", file.file)).toMatchObject({ ok: true, value: { größe: [1, 2] } });
    expect(await reading("base64", file)).toMatchObject({ value: Buffer.from('{"größe": [1, 2]}').toString("base64") });
    const sum = "{{ $file.json($trigger.body.a)['größe'].reduce((a, b) => a + b, 0) }}";
    expect(await evaluated(sum, { a: file })).toMatchObject({ ok: true, value: 3 });
  });

  test("says what is wrong with a file", async () => {
    const problem = async (method: string, file: unknown) => {
      const answer = await reading(method, file);
      return answer.ok ? "none" : answer.error.message;
    };
    expect(await problem("text", 7)).toMatch(/not a file's reference/);
    expect(await problem("text", { file: "file_nonsense" })).toMatch(/File not found/);
    expect(await problem("text", await newFile("theirs", await newActor()))).toMatch(/File not found/);
    expect(await problem("text", await newFile(Buffer.from([0xff, 0xfe])))).toMatch(/not text in UTF-8/);
    expect(await problem("json", await newFile("{"))).toMatch(/not JSON/);
    expect(await problem("json", await newFile("[".repeat(600) + "]".repeat(600)))).toMatch(/not JSON/);
    expect(await problem("base64", await newFile(Buffer.alloc(1_048_577)))).toMatch(/at most 1 MiB of a file/);
    expect(await problem("text", await newFile("a\u0000b"))).toBe("none");
  });

  test("reads no more than fits in total", async () => {
    const files = await Promise.all(Array.from({ length: 5 }, () => newFile(Buffer.alloc(1_000_000, 32))));
    const all = files.map((_, index) => `$file.text($trigger.body[${index}]).length`).join(" + ");
    const answer = await evaluated(`{{ ${all} }}`, files);
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringMatching(/4 MiB of all files/) } });
  });

  test("needs the scope to read files", async () => {
    const file = await newFile("secret");
    const by = { ...actor, scopes: new Set([...actor.scopes].filter((scope) => scope !== "files:read")) };
    await expect(evaluated("{{ $file.text($trigger.body) }}", file, by)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
