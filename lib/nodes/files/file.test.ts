import { expect, test } from "vitest";
import type { NodeContext } from "../define.ts";
import { asNode, runNodeAlone } from "../testing/run-alone.ts";
import { file } from "./file.ts";
import type { FileAccess, FileReference } from "./file-access.ts";

/** Files in memory. */
function fakeFiles() {
  const files: (FileReference & { bytes: Buffer })[] = [];
  const shown = ({ bytes: _, ...reference }: (typeof files)[number]) => reference;
  const access: FileAccess = {
    find: async (reference) => {
      const id = typeof reference === "string" ? reference : (reference as FileReference).file;
      const found = files.find((file) => file.file === id);
      if (found === undefined) throw new Error("gone");
      return shown(found);
    },
    open: async function* () {},
    withoutSecrets: async (value) => value,
    textWithoutSecrets: (bytes) => bytes,
    save: async ({ name = "", contentType = "", bytes }) => {
      const parts: Uint8Array[] = [];
      for await (const part of bytes) parts.push(part);
      const all = Buffer.concat(parts);
      files.push({ file: `file_${files.length + 1}`, name, contentType, size: all.length, sha256: "", bytes: all });
      return shown(files.at(-1) as (typeof files)[number]);
    },
    named: async (name) => {
      const found = files.findLast((file) => file.name === name);
      return found === undefined ? null : shown(found);
    },
    list: async (prefix) => files.filter(({ name }) => name.startsWith(prefix)).map(shown),
    delete: async (ids) => {
      const before = files.length;
      for (const id of ids)
        files.splice(
          files.findIndex((file) => file.file === id),
          1,
        );
      return before - files.length;
    },
    sign: ({ file: id }, until) => `https://x.test/${id}?until=${until}`,
  };
  return { kept: files, context: { files: access } satisfies Partial<NodeContext> };
}

test("writes text, JSON and base64, reads by path and by reference, lists, signs and deletes", async () => {
  const { kept, context } = fakeFiles();
  const run = async (config: object) => (await runNodeAlone(asNode(file), config, null, context)).output;
  expect(await run({ action: "write", path: "a/1", content: "größe" })).toMatchObject({
    file: "file_1",
    name: "a/1",
    contentType: "text/plain; charset=utf-8",
    size: 7,
  });
  expect(await run({ action: "write", path: "a/2", content: { n: 1 } })).toMatchObject({
    contentType: "application/json",
  });
  await run({ action: "write", path: "b", content: "AAH/", encoding: "base64", contentType: "image/png" });
  expect(kept.map(({ bytes }) => bytes.toString("latin1"))).toEqual(["grÃ¶Ã\u009fe", '{"n":1}', "\0\u0001\u00ff"]);
  await run({ action: "write", path: "a/1", content: "newer" });
  expect(await run({ path: "a/1" })).toMatchObject({ file: "file_4" });
  expect(await run({ file: { file: "file_2" } })).toMatchObject({ name: "a/2" });
  expect(await run({ action: "list", path: "a/" })).toMatchObject({
    files: [{ name: "a/1" }, { name: "a/2" }, { name: "a/1" }],
  });
  expect(await run({ action: "sign", path: "b", expiresMs: 60_000 })).toMatchObject({
    file: "file_3",
    url: "https://x.test/file_3?until=60000",
    expiresAt: "1970-01-01T00:01:00.000Z",
  });
  expect(await run({ action: "delete", path: "a/1" })).toEqual({ deleted: 2 });
  expect(await run({ action: "delete", path: "a/1" })).toEqual({ deleted: 0 });
});

test("says what it lacks", async () => {
  const { context } = fakeFiles();
  await expect(runNodeAlone(asNode(file), { path: "none" }, null, context)).rejects.toMatchObject({
    code: "FILE_NOT_FOUND",
  });
  const write = { action: "write", path: "x", content: "no base64!", encoding: "base64" };
  await expect(runNodeAlone(asNode(file), write, null, context)).rejects.toMatchObject({ field: "content" });
  expect(file.problem?.({})).toMatchObject({ path: "path" });
  expect(file.problem?.({ action: "write", path: "x" })).toMatchObject({ path: "content" });
  expect(file.problem?.({ action: "list" })).toBeNull();
  expect(file.problem?.({ file: "{{ $trigger.body }}" })).toBeNull();
});
