import type { Section } from "./section.ts";

export const beyond: Section = {
  "node-types": [
    "`GET /node-types` is the catalogue with JSON Schemas",
    "node-types > the catalogue of node types > every type has words, a schema, and an example that can be active",
  ],
  stream: [
    "`GET /executions/:id/stream` tells execution, node and log events with increasing ids and ends with the run",
    "executions-stream > a run that is followed > is told as it stands, then change by change, at last as it ended; then the stream ends",
  ],
  "stream-resume": [
    "It goes on after Last-Event-ID",
    "executions-stream > a client that was cut off > goes on after its last event: nothing twice, nothing missing",
  ],
  openapi: [
    "`GET /openapi.json` is OpenAPI 3.1, of the schemas that validate",
    "openapi > is OpenAPI 3.1 and open to all",
    "openapi > has every operation of the contract, with its usual answer and a refusal without a key",
  ],
  "openapi-examples": [
    "Every field has words, and every example is as its schema says",
    "lib/http/openapi/document.test.ts > every field and every parameter has words, of its own or in lib/contract/words",
    "lib/http/openapi/document.test.ts > every example is as its schema says",
  ],
  reference: [
    "An API reference page in the app: works offline, sends requests",
    "e2e/browser/reference.test.ts > an operation is found and sent from the reference, which asks nobody but this service",
  ],
  metrics: [
    "`GET /api/metrics` is Prometheus's text format",
    "metrics > GET /api/metrics > 200: Prometheus's text format, every metric described",
    "metrics > GET /api/metrics > 401 without a key, with another's and with a wrong token",
  ],
};
