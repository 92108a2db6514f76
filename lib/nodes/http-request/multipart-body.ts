import type { NodeContext } from "../define.ts";
import { type FileReference, isReference } from "../files/file-access.ts";
import type { StreamedBody } from "./outbound-request.ts";
import { asFormText, formFields } from "./request.ts";

const boundaryDigits = 24;

type Part = { readonly head: Buffer; readonly content: Buffer | FileReference };

/** A multipart form, with files for values that are references. Files are streamed. */
export async function multipartBody(
  body: unknown,
  { files, random }: Pick<NodeContext, "files" | "random">,
): Promise<StreamedBody & { readonly contentType: string }> {
  let boundary = "millrace-";
  while (boundary.length < boundaryDigits + 9) boundary += Math.floor(random() * 36).toString(36);
  const parts: Part[] = [];
  const texts: string[] = [];
  for (const [name, item] of formFields(typeof body === "object" && body !== null ? body : {})) {
    if (isReference(item)) {
      const file = await files.find(item);
      parts.push({ head: headOf(boundary, name, file), content: file });
      continue;
    }
    const text = await asFormText(item);
    if (text === undefined) continue;
    texts.push(name, text);
    parts.push({ head: headOf(boundary, name), content: Buffer.from(text) });
  }
  const end = Buffer.from(`--${boundary}--\r\n`);
  const sizeOf = ({ head, content }: Part) => head.length + ("size" in content ? content.size : content.length) + 2;
  return {
    bytes: parts.reduce((sum, part) => sum + sizeOf(part), end.length),
    text: texts.join("\n"),
    contentType: `multipart/form-data; boundary=${boundary}`,
    open: () => written(parts, end, files),
  };
}

async function* written(parts: readonly Part[], end: Buffer, files: NodeContext["files"]): AsyncGenerator<Uint8Array> {
  for (const { head, content } of parts) {
    yield head;
    if ("size" in content) yield* files.open(content);
    else yield content;
    yield Buffer.from("\r\n");
  }
  yield end;
}

function headOf(boundary: string, name: string, file?: FileReference): Buffer {
  const named = `form-data; name="${quoted(name)}"`;
  const lines =
    file === undefined
      ? [`content-disposition: ${named}`]
      : [
          `content-disposition: ${named}; filename="${quoted(file.name.slice(file.name.lastIndexOf("/") + 1))}"`,
          `content-type: ${file.contentType}`,
        ];
  return Buffer.from(`--${boundary}\r\n${lines.join("\r\n")}\r\n\r\n`);
}

/** Escapes a name as browsers do. */
function quoted(name: string): string {
  return name.replace(
    /["\r\n]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}
