import { z } from "zod";
import type { JsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { anyField, durationMeta } from "../config-fields.ts";
import { defineNode, type NodeContext, NodeFailure } from "../define.ts";
import type { FileReference } from "./file-access.ts";

const actions = ["read", "write", "delete", "list", "sign"] as const;
const filesMax = 1_000;
const signedMsDefault = 3_600_000;
const signedMsMax = 604_800_000;
const reads: ReadonlySet<unknown> = new Set(["read", "list", "sign"]);

/** Reads, writes, deletes, lists and signs files of the workspace. */
export const file = defineNode({
  type: "file",
  name: "File",
  keywords: ["upload", "download", "document"],
  family: "data",
  icon: "file",
  iconPath: "M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2",
  summary: ["{action:text|read} {path:text}", "{action:text|read}"],
  description: `Reads, writes, lists, shares and deletes the workspace's files. A file travels through a flow as a reference \`{file, name, contentType, size,
sha256}\`; its bytes stay where they are stored, and expressions read them with \`$file.text(ref)\`, \`.json(ref)\` and \`.base64(ref)\`.

- \`read\`: the newest file named \`path\`, or the one that \`file\` refers to. The node fails with \`FILE_NOT_FOUND\` if there is none.
- \`write\`: stores \`content\` (text; anything else as JSON) under \`path\`. An existing file with that name is kept, and is no longer the newest.
- \`delete\`: deletes all files named \`path\`, or the one of \`file\`. Output: \`{deleted}\`.
- \`list\`: the files whose names begin with \`path\`, up to \`limit\`. Output: \`{files}\`.
- \`sign\`: a URL at which anyone may read the file for \`expiresMs\`. Output: the reference with \`url\` and \`expiresAt\`.

A file that no run, test or table row refers to is deleted after the retention time of runs: put its reference into a table to keep it.

Example: \`{"action": "write", "path": "reports/today.csv", "content": "{{ $nodes['csv'].output }}", "contentType": "text/csv"}\` gives
\`{"file": "file_…", "name": "reports/today.csv", "contentType": "text/csv", "size": 812, "sha256": "…"}\`.`,
  effect: "outside",
  ignoresInput: true,
  acts: ({ action = "read" }) => (reads.has(action) ? "read" : "write"),
  unrepeatable: () => true,
  handles: plainHandle,
  config: z.object({
    action: z
      .enum(actions, `must be one of ${actions.join(", ")}`)
      .optional()
      .default("read")
      .meta({ title: "Action", description: "What to do with the files." }),
    path: z.string("must be text").max(255, "must have at most 255 characters").optional().meta({
      title: "Path",
      description: "The file's name, such as reports/today.csv; when listing, a prefix of names.",
    }),
    file: anyField({ title: "File", description: "A file's reference or id, instead of a path." }),
    content: anyField({ title: "Content", description: "The content to write: text, or any JSON." }),
    encoding: z
      .enum(["text", "base64"], "must be text or base64")
      .optional()
      .default("text")
      .meta({ title: "Encoding", description: "How a text becomes bytes: as UTF-8, or decoded from base64." }),
    contentType: z
      .string("must be a media type")
      .max(255, "must have at most 255 characters")
      .optional()
      .meta({ title: "Content type", description: "Such as text/csv. Default: text/plain, or application/json." }),
    limit: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(filesMax, `must be at most ${filesMax}`)
      .optional()
      .default(100)
      .meta({ title: "Limit", description: `How many files to list, up to ${filesMax}. Default: 100.` }),
    expiresMs: z
      .int("must be a whole number of milliseconds")
      .min(1_000, "must be at least 1000")
      .max(signedMsMax, `must be at most ${signedMsMax}`)
      .optional()
      .default(signedMsDefault)
      .meta(durationMeta({ title: "Expires after", description: "How long a signed URL works. Default: an hour." })),
  }),
  example: { action: "write", path: "hello.txt", content: "Hello, {{ $trigger.body.name }}!" },
  problem: missingField,
  run: async ({ action, path = "", ...config }, context) => {
    switch (action) {
      case "write":
        return { output: await write(path, config, context) };
      case "list":
        return { output: { files: await context.files.list(path, config.limit) } };
      case "delete":
        return { output: { deleted: await deleteAll(path, config.file, context) } };
      case "sign": {
        const found = await find(path, config.file, context);
        const until = Math.ceil((context.now() + config.expiresMs) / 1_000) * 1_000;
        const expiresAt = new Date(until).toISOString();
        return { output: { ...found, url: context.files.sign(found, until), expiresAt } };
      }
      default:
        return { output: await find(path, config.file, context) };
    }
  },
});

async function find(path: string, reference: unknown, { files }: NodeContext): Promise<FileReference> {
  if (isGiven(reference)) return await files.find(reference);
  const found = await files.named(path);
  if (found !== null) return found;
  throw new NodeFailure("FILE_NOT_FOUND", `There is no file "${path}"`, { field: "path" });
}

async function deleteAll(path: string, reference: unknown, { files }: NodeContext): Promise<number> {
  if (isGiven(reference)) return await files.delete([(await files.find(reference)).file]);
  let deleted = 0;
  for (;;) {
    const found = (await files.list(path, filesMax)).filter(({ name }) => name === path);
    if (found.length === 0) return deleted;
    deleted += await files.delete(found.map((file) => file.file));
  }
}

type Written = {
  readonly content?: unknown;
  readonly encoding: "text" | "base64";
  readonly contentType?: string | undefined;
};

async function write(path: string, { encoding, contentType, ...given }: Written, { files }: NodeContext) {
  const { name, content } = await files.withoutSecrets({ name: path, content: given.content });
  const isText = typeof content === "string";
  const text = isText ? content : await jsonInTurns(content);
  const bytes = isText && encoding === "base64" ? decoded(text) : Buffer.from(text);
  const type = contentType ?? (isText ? "text/plain; charset=utf-8" : "application/json");
  return await files.save({ name, contentType: type, bytes: inOnePart(bytes), bytesExpected: bytes.length });
}

function decoded(text: string): Buffer {
  if (/^[\w+/-]*={0,2}\s*$/.test(text)) return Buffer.from(text, "base64");
  throw new NodeFailure("INVALID_CONFIG", "content: must be base64", { field: "content" });
}

async function* inOnePart(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function missingField({ action = "read", path, file: reference, content }: JsonObject) {
  if (action === "list") return null;
  if (!isGiven(path) && (action === "write" || !isGiven(reference)))
    return { path: "path", message: "is required, or file" };
  if (action === "write" && content === undefined) return { path: "content", message: "is required to write" };
  return null;
}
