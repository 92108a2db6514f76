import { deleteFile as deleteFileEndpoint, readFile } from "#lib/contract/files.ts";
import { openSigned } from "#lib/files/signed-address.ts";
import { deleteFile, findFile, openFile } from "#lib/files/use-files.ts";
import { fileAnswer } from "#lib/http/files/file-answer.ts";
import { orBySignature } from "#lib/http/files/signed-call.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

const handlers = {
  GET: route(readFile, async ({ actor, params, caller }) => {
    const file = await findFile(actor.workspaceId, params.id);
    return await fileAnswer(file, caller.header, (range) => openFile(file, range));
  }),
  DELETE: route(deleteFileEndpoint, ({ actor, params }) => deleteFile(actor, params.id)),
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  ...handlers,
  GET: orBySignature(handlers.GET, openSigned),
});
