import type { Section } from "./section.ts";

export const authentication: Section = {
  bearer: [
    "A key is sent as `Authorization: Bearer <key>`",
    "errors > 401 without a valid key > %s",
    "errors > 401 without a valid key > the scheme may be in any case",
  ],
  unauthorized: [
    "No, malformed, unknown, expired or revoked key: 401 with `WWW-Authenticate: Bearer`",
    "errors > 401 without a valid key > %s",
    "api-keys > a key is made > that works until it expires",
    "api-keys > a revoked key > is refused from the next request on, as is its old secret, and listed no more",
  ],
  forbidden: [
    "A key without the scope: 403 with details.required",
    "access-matrix > who may what > %s > asks a key for its scope, and for no other",
  ],
  session: [
    "The browser's session is accepted; what changes something needs a same-origin Origin",
    "access-matrix > who may what > %s > lets a session in by the role: %s",
    "access-matrix > who may what > %s > does nothing with a session for another site's page",
  ],
  "other-workspace": [
    "What belongs to another workspace is 404",
    "access-matrix > who may what > %s > of another workspace is not found, by key and by session, and stays as it is",
  ],
  "ids-in-bodies": [
    "Ids in bodies and queries are checked like those in paths",
    "foreign-references > an id of another workspace > is as if it were not there: %s",
    "another-workspace > what belongs to another workspace > is in no list, whatever is asked for",
    "secrets-at-rest > another workspace's > credentials are not used by name, and their names are free",
  ],
  members: [
    "A workspace has members with the roles owner, editor and viewer",
    "members > members > are listed with their roles, in the order in which they joined",
    "members > members > have a new role from their next request on",
  ],
  invitations: [
    "Members come by invitation",
    "invitations > an invitation > tells its link once, and is listed without it",
    "invitations > an invitation > that is withdrawn opens nothing",
  ],
};
