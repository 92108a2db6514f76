import type { Section } from "./section.ts";

export const addresses: Section = {
  "v1-in-path": [
    "The version is in the path; /v1 answers as /api/v1 does",
    "errors > every address of the API > is the same below /v1 and with a slash at its end",
    "trigger-urls > who may call > the address works below /v1 as well",
  ],
  "unknown-path": [
    "An unknown path is 404 in the envelope",
    "errors > 404 in the envelope for a path that does not exist, whoever asks > %s",
    "errors > 404 in the envelope for a path that does not exist, whoever asks > below /v1 as well",
  ],
  "wrong-method": [
    "A wrong method is 405 with Allow",
    "errors > 405 with Allow for a method that the path does not have, whoever asks > %s has %s",
  ],
  head: ["HEAD follows GET", "errors > every address of the API > HEAD answers as GET does, without the body"],
  options: [
    "OPTIONS is answered",
    "errors > 405 with Allow for a method that the path does not have, whoever asks > %s has %s",
  ],
  "id-form": [
    "Ids are prefixed by their kind and sort by time",
    "lib/platform/ids.test.ts > ids > start with their kind, and are ids of that kind only",
    "lib/platform/ids.test.ts > ids > are all different, and sort by the time they were made",
  ],
  "malformed-id": ["A malformed id is 404, never 500", "malformed-ids > %s finds nothing by an id that cannot be one"],
  "export-version": [
    "The exported document carries its own version",
    "flow-copies > GET /flows/:id/export > 200: the document bare, as an attachment named after the flow, without the generated URL",
  ],
  "current-version": ["The current version is v1, described as 1.0.0", "openapi > is OpenAPI 3.1 and open to all"],
};
