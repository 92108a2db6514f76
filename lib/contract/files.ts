import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";

/** A file as passed through flows, without its bytes. */
export const fileReference = z
  .object({
    file: z.string().describe("Its id"),
    name: z.string().describe("Its name: one line"),
    contentType: z.string().describe("Its media type"),
    size: z.int().describe("Its size in bytes"),
    sha256: z.string().describe("The SHA-256 of its bytes, in hexadecimal"),
  })
  .meta({ id: "FileReference" });

const tag = "Files";

export const uploadFile = endpoint({
  method: "POST",
  path: "/files",
  tag,
  summary: "Upload a file",
  description: `The body is the file, with its \`Content-Type\`; its name is the query's \`name\` or the file name of a \`Content-Disposition\`. Or send a
\`multipart/form-data\` with one file. At most \`FILE_MAX_BYTES\` (100 MiB), and \`FILES_MAX_BYTES\` per workspace: beyond either, 413. Flows accept the answer as it is. A file that no run, test or table row refers to is deleted after the retention time of runs.`,
  scope: "files:write",
  query: z.object({
    name: z
      .string("name must be given once")
      .max(1_000, "name must have at most 1000 characters")
      .optional()
      .meta({ examples: ["invoice.pdf"] })
      .describe("Its name"),
  }),
  body: z.any().meta({ type: "string", format: "binary" }),
  bodyType: "file",
  bodyRequired: true,
  status: 201,
  answer: fileReference,
});

export const readFile = endpoint({
  method: "GET",
  path: "/files/:id",
  tag,
  summary: "Download a file",
  description: `Its bytes, as an attachment with its name. \`Range\` requests a part (one range: 206, or 416 outside the file); \`If-None-Match\` with its \`ETag\`, the SHA-256, gets 304. A URL signed by the \`file\` node needs no key until it expires.`,
  scope: "files:read",
  params: idParams("file"),
  shape: "file",
  answer: z.string().meta({ format: "binary" }),
});

export const deleteFile = endpoint({
  method: "DELETE",
  path: "/files/:id",
  tag,
  summary: "Delete a file",
  description: "At once and permanently, even if runs, tests or rows still refer to it: reading it then fails.",
  scope: "files:write",
  params: idParams("file"),
  shape: "empty",
});
