import { randomUUID } from "node:crypto";
import { errorAnswer } from "#lib/http/envelope.ts";
import { type RouteHandler, responseOfFile, timed } from "#lib/http/route.ts";
import { fileAnswer } from "./file-answer.ts";

type Opened = {
  readonly file: Parameters<typeof fileAnswer>[0];
  readonly open: Parameters<typeof fileAnswer>[2];
};

/** The same for callers with a signed URL, who need no key. */
export function orBySignature(
  handler: RouteHandler,
  open: (id: string, expires: string, signature: string) => Promise<Opened>,
): RouteHandler {
  const bySignature = timed("/files/:id", async (request: Request, id: string): Promise<Response> => {
    const headers = { "x-request-id": randomUUID() };
    try {
      const { searchParams } = new URL(request.url);
      const found = await open(id, searchParams.get("expires") ?? "", searchParams.get("signature") ?? "");
      const { file, open: openRange } = found;
      const answer = await fileAnswer(file, (name) => request.headers.get(name), openRange);
      return responseOfFile({ ...answer, headers: { ...answer.headers, ...headers } });
    } catch (error) {
      return errorAnswer(error, headers);
    }
  });
  return async (request, context) => {
    const isSigned = new URL(request.url).searchParams.has("signature");
    return isSigned ? await bySignature(request, String((await context.params).id)) : await handler(request, context);
  };
}
