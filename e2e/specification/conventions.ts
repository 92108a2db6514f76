import type { Section } from "./section.ts";

export const conventions: Section = {
  "json-bodies": [
    "Bodies are JSON, sent with `Content-Type: application/json`",
    "errors > a request body > is read as %s",
    "errors > a request body > is not read as %s",
  ],
  "no-content-type": [
    "A missing `Content-Type` is read as JSON",
    "errors > a request body > without a Content-Type is read as JSON",
  ],
  "malformed-json": ["Malformed JSON is refused with `details.body`", "errors > a request body > must be JSON, not %j"],
  "object-body": ["A request body is a JSON object", "errors > a request body > must be an object, not %s"],
  envelope: [
    "A success is `{success: true, data}`",
    "flows-create > a created flow > is answered with 201 and all of its fields, defaults included",
  ],
  "list-envelope": ["A list has `pagination` beside `data`", "flows-list > pages > 25 flows at 10 a page are 3 pages"],
  "error-envelope": [
    "A failure is `{success: false, error: {code, message, details?}}`",
    "lib/http/envelope.test.ts > what the caller did wrong is told > %s is answered with %i",
  ],
  "bare-export": [
    "The exported document stands without the envelope",
    "flow-copies > GET /flows/:id/export > 200: the document bare, as an attachment named after the flow, without the generated URL",
  ],
  "empty-204": [
    "A 204 has no body",
    "flows-delete > a deleted flow > is answered with 204 and nothing else, and is gone",
  ],
  timestamps: [
    "Times are ISO 8601 in UTC with milliseconds, those of nodes included",
    "executions-read > a single execution > has every field of the single read, and nodes without outputs",
  ],
  durations: [
    "Durations are whole milliseconds",
    "flows-execute > async: false > is answered with 200, the output, and every node's result",
  ],
  authenticated: [
    "Every endpoint but trigger URLs asks for a key",
    "access-matrix > who may what > %s > is for nobody without a key that works",
  ],
  "unknown-fields": [
    "Unknown fields of a body are ignored",
    "flows-create > a created flow > ignores fields that clients may not write, and unknown ones",
  ],
  "described-answers": [
    "Every answer is as the API's own document describes it",
    "openapi > gives an example of every answer of the contract, and each is as its schema says",
    "fuzzed-requests > a fuzzed request > is answered as the document says: %s",
  ],
};
