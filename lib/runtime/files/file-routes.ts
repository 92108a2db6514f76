import { deleteFile as deleteFileEndpoint, readFile, uploadFile as uploadFileEndpoint } from "#lib/contract/files.ts";
import { openSigned } from "#lib/files/signed-address.ts";
import { deleteFile, findFile, openFile, uploadFile } from "#lib/files/use-files.ts";
import { fileAnswer } from "#lib/http/files/file-answer.ts";
import type { FileRoutes } from "#lib/http/files/file-handler.ts";
import { receiveUpload } from "#lib/http/files/receive-upload.ts";
import { orBySignature } from "#lib/http/files/signed-call.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

const reading = route(readFile, async ({ actor, params, caller }) => {
  const file = await findFile(actor.workspaceId, params.id);
  return await fileAnswer(file, caller.header, (range) => openFile(file, range));
});

/** The operations of the route files, for Node's own server. */
export const fileRoutes: FileRoutes = {
  files: serve({
    POST: route(uploadFileEndpoint, ({ actor, query, caller, content }) =>
      receiveUpload({ header: caller.header, content, name: query.name }, (file) => uploadFile(actor, file)),
    ),
  }),
  file: serve({
    GET: orBySignature(reading, openSigned),
    DELETE: route(deleteFileEndpoint, ({ actor, params }) => deleteFile(actor, params.id)),
  }),
};
