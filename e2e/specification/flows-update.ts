import type { Section } from "./section.ts";

export const flowsUpdate: Section = {
  "sent-only": ["Only what is sent changes", "flows-update > only what is sent changes > %s: %j"],
  answer: [
    "The answer has the id, the fields that were sent and updatedAt",
    "flows-update > only what is sent changes > the answer has the id, the fields that were sent, and updatedAt",
  ],
  empty: ["`{}` is allowed", "flows-update > only what is sent changes > {} changes nothing and is answered"],
  invalid: ["A wrong field is 400", "flows-update > 400 > %s: %j"],
  missing: [
    "A missing flow is 404",
    "flows-update > 400 > 404 for a flow that is not there, unless the body is wrong as well",
  ],
  "new-version": [
    "A trigger, nodes, edges or variables that really change make a new version, from 1",
    "flows-update > versions > %s: %j leads to version %i",
  ],
  canvas: [
    "Changing only the canvas makes no version",
    "flow-versions > GET /flows/:id/versions > changes that do not touch what runs make no version",
  ],
  history: [
    "Versions are kept in the flow's history",
    "flow-versions > GET /flows/:id/versions > 200: the newest first, in pages",
  ],
  "if-match": [
    "`If-Match` with another version is 409 and nothing is written; `*` always matches",
    "flows-update > If-Match > %s does not: 409, and nothing is written",
    "flows-update > If-Match > %s matches version 1",
  ],
  "two-at-once": [
    "Of two writers with the same If-Match one wins",
    "two-at-once > 50 changes of one flow at once > with the same If-Match have one winner",
  ],
};
