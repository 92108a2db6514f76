import type { Section } from "./section.ts";

export const triggerUrls: Section = {
  method: [
    "The configured method starts the flow",
    "trigger-urls > who may call > %s, when that is the configured method, and no other",
  ],
  scope: [
    "Body, headers and query are `$trigger.body`, `.headers` and `.query`",
    "expressions > the scope > headers have lower-case names, and the query its values",
  ],
  answer: [
    "200 with the run's output as JSON",
    "trigger-urls > the answer of a trigger URL > is the run's output as JSON, bare, with the execution's id",
  ],
  "execution-id": [
    "`X-Execution-Id` always",
    "trigger-urls > the answer of a trigger URL > is the run's output as JSON, bare, with the execution's id",
    "trigger-urls > the answer of a trigger URL > of a run that failed is 500 EXECUTION_FAILED with the execution's id",
  ],
  branches: [
    "The branch that ran gives the answer: an if-else validation answers either way",
    "example > an order is checked, priced at the service's rate, noted and answered",
    "example > what is not an order is answered with 422 and asks nobody",
  ],
  inert: [
    "nosniff and a sandboxing CSP: never a page of this origin",
    "trigger-urls > the answer of a trigger URL > can never be a page of this origin",
  ],
  respond: [
    "A respond node sets status, headers and body",
    "trigger-urls > a respond node > sets status, headers and body",
  ],
  "respond-async": [
    "`Prefer: respond-async` gives a bare 202 at once",
    "trigger-urls > the answer of a trigger URL > is 202 at once with %s",
  ],
  immediately: [
    "`config.respond: immediately` gives 202 at once",
    "trigger-urls > the answer of a trigger URL > is 202 at once when the trigger says so",
  ],
  failed: [
    "A failed run is 500 EXECUTION_FAILED with details.executionId",
    "trigger-urls > the answer of a trigger URL > of a run that failed is 500 EXECUTION_FAILED with the execution's id",
  ],
  unknown: [
    "An unknown id, or a flow with another trigger, is 404",
    "trigger-urls > who may call > 404 for an id that is none, and for a flow with another trigger",
  ],
  "wrong-method": [
    "Another method is 405",
    "trigger-urls > who may call > %s, when that is the configured method, and no other",
  ],
  unauthorized: [
    "Failed authentication is 401",
    "trigger-authentication > a trigger with $type authentication > runs for who shows the secret, and refuses everyone else without a trace",
  ],
  inactive: [
    "An inactive flow is 400 INVALID_STATUS",
    "trigger-urls > who may call > 400 INVALID_STATUS for an inactive flow, from the moment it is",
  ],
  "draft-active": ["Draft and active flows run", "trigger-urls > who may call > a flow that is %s runs"],
  bodies: [
    "JSON, form and text are parsed by content type; other types arrive as base64",
    "trigger-urls > the body is read by its content type > %s: %s",
  ],
  "body-limit": [
    "1 MiB is taken, a byte more is 413",
    "trigger-urls > the body is read by its content type > 413 for more than 1 MiB",
  ],
  "no-authorization": [
    "With authentication none a call without Authorization is accepted",
    "trigger-urls > the answer of a trigger URL > is the run's output as JSON, bare, with the execution's id",
  ],
  cors: [
    "CORS is open here and nowhere else",
    "trigger-urls > who may call > pages of any origin",
    "errors > every address of the API > is not opened to pages of other origins",
  ],
  head: ["HEAD and OPTIONS start nothing", "trigger-urls > who may call > HEAD and OPTIONS start nothing"],
  depth: [
    "Flows that call one another are refused deeper than 5",
    "trigger-urls > flows that call one another > stop at a depth of 5",
  ],
  "no-quota": ["No quota", "quota > a free workspace has 100 requests an hour > trigger URLs have no quota"],
  "long-run": [
    "A run longer than SYNC_WAIT_MS is answered 202 and goes on",
    "sync-wait > a run that takes longer than the service waits for it > of a trigger URL is answered with 202, bare",
  ],
  presets: [
    "GitHub, Stripe, Shopify and Standard Webhooks signatures are known",
    "trigger-authentication > a signature > of GitHub, Stripe, Shopify and Standard Webhooks is known",
  ],
};
