import { uploadFile as uploadFileEndpoint } from "#lib/contract/files.ts";
import { uploadFile } from "#lib/files/use-files.ts";
import { receiveUpload } from "#lib/http/files/receive-upload.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(uploadFileEndpoint, ({ actor, query, caller, content }) =>
    receiveUpload({ header: caller.header, content, name: query.name }, (file) => uploadFile(actor, file)),
  ),
});
