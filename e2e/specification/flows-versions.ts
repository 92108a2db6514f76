import type { Section } from "./section.ts";

export const flowsVersions: Section = {
  list: [
    "`GET /flows/:id/versions` has the newest first, in pages",
    "flow-versions > GET /flows/:id/versions > 200: the newest first, in pages",
  ],
  read: [
    "A version can be read as it was",
    "flow-versions > GET /flows/:id/versions/:version > 200: the document as it was",
  ],
  missing: ["An unknown version is 404", "flow-versions > GET /flows/:id/versions/:version > 404 for %s"],
  restore: [
    "Restoring makes a new version like the old one",
    "flow-versions > POST /flows/:id/versions/:version/restore > 200: a new version like the old one; nothing of the history is lost",
  ],
  ran: [
    "An execution tells the version that it ran",
    "flows-update > versions > an execution tells the version that it ran, and later changes leave it alone",
  ],
};
