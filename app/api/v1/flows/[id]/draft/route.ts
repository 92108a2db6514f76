import {
  discardDraft as discardDraftEndpoint,
  readDraft as readDraftEndpoint,
  writeDraft as writeDraftEndpoint,
} from "#lib/contract/flows/working-copy.ts";
import { etagOf } from "#lib/flows/if-match.ts";
import { readDraft, writeDraft } from "#lib/flows/working-copy/show-draft.ts";
import { discardDraft } from "#lib/flows/working-copy/stored-draft.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readDraftEndpoint, async ({ actor, params }) => {
    const payload = await readDraft(actor, params.id);
    return { payload, headers: { etag: etagOf(payload.revision) } };
  }),
  PUT: route(writeDraftEndpoint, async ({ actor, params, body, caller }) => {
    const payload = await writeDraft(actor, params.id, body, caller.header("if-match"));
    return { payload, headers: { etag: etagOf(payload.revision) } };
  }),
  DELETE: route(discardDraftEndpoint, ({ actor, params, caller }) =>
    discardDraft(actor, params.id, caller.header("if-match")),
  ),
});
