import type { ErrorCode } from "#lib/errors.ts";
import { pageSize } from "./query.ts";

interface Convention {
  readonly title: string;
  /** Paragraphs of text, with code in backticks. */
  readonly paragraphs: readonly string[];
}

/** What each group of operations is for. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Flows: "Create, change, check and run flows.",
  Templates: "Flows to start from, with what each needs connected.",
  Expressions: "Try expressions and schedules before a flow uses them.",
  "Flow versions": "Each change of a flow's content makes a version, which you can read and restore.",
  "Flow tests":
    "Replay a flow over recorded data and compare its results with what you expect. Nothing leaves the service.",
  Backtests: "Replay recorded runs through another version of a flow, and see what would have changed.",
  Presence: "Who else has a flow open, which level they see, and what they have selected.",
  "Working copies": "Changes to a live flow that don't run until you publish them as its next version.",
  Executions: "Runs of flows: list, follow, cancel, retry and delete them.",
  Credentials: "Secrets that flows use by name.",
  Tables: "Small data that flows share: tables with typed columns, and their rows.",
  Files: "Files that flows pass by reference: upload, download and delete them.",
  "API keys": "Keys of the workspace, each with its scopes.",
  Alerts: "Rules that watch runs, and the alerts they raised.",
  "Node types": "The catalogue of node types.",
  Services: "What the node `call` can call: built-in services, and OpenAPI documents that you import.",
  Webhooks: "Subscriptions to events, and their deliveries.",
  "Trigger URLs": "Start a flow without an API key.",
  Account: "The signed-in person.",
  Workspaces: "Create, change, switch and leave workspaces.",
  Members: "The workspace's members and its invitations.",
  "Audit log": "Who did what in the workspace, and when.",
  "Resume addresses": "Resume a waiting step without an API key.",
  Service: "For the operator of the service.",
};

/** The conventions of every operation: the beginning of the API's description and of its reference. */
export const conventions: readonly Convention[] = [
  {
    title: "Authentication",
    paragraphs: [
      "Send an API key as `Authorization: Bearer <key>`. A key belongs to a workspace and may do what its scopes allow; other workspaces' resources do not exist for it (404).",
      "The browser's session is accepted too, with the scopes of the member's role; requests that change something must then come from a page of this site. Without either: 401 `UNAUTHORIZED`. Without the scope: 403 `FORBIDDEN`, and `details.required` names it.",
    ],
  },
  {
    title: "Requests",
    paragraphs: [
      "Bodies are JSON, not compressed, of at most 1 MiB (`MAX_BODY_BYTES`) and 64 levels; beyond the size, 413 `PAYLOAD_TOO_LARGE`. Unknown fields and parameters are ignored; known ones are validated strictly. 400 `VALIDATION_ERROR` reports all problems at once: `details` maps paths such as `nodes[2].config.url` to messages. Lengths of text count UTF-16 code units, as JavaScript does: most emojis are two.",
      "Every POST under `/flows`, `/executions` and `/tables` takes an `Idempotency-Key` of up to 255 characters. The same request with the same key within 24 hours gets the first one's answer, with `Idempotency-Replayed: true`, and has no second effect. Another request with that key is 409 `CONFLICT`, and so is one while the first is still being answered, with `Retry-After`. Errors are not kept.",
    ],
  },
  {
    title: "Answers",
    paragraphs: [
      "Successes are `{success: true, data}`, with `pagination` next to it for lists; failures are `{success: false, error: {code, message, details?}}`. An exported flow has no envelope, 204 has no body, and streams send events.",
      "Times are ISO 8601 in UTC, to the millisecond; durations are milliseconds. Every answer has an `X-Request-Id`, which is also in the server's log.",
      "A flow's `ETag` is the version of its content (trigger, nodes, edges, variables). Send it as `If-Match` when you change or delete the flow: if the content has changed since, the answer is 409 `CONFLICT` and nothing is written. The `ETag` does not change with name, tags, status or settings. To detect such changes too, send the version, a space and the `updatedAt` that you read, in one pair of quotes.",
    ],
  },
  {
    title: "Lists",
    paragraphs: [
      `\`page\` counts from 1; \`limit\` is ${pageSize.default} unless you ask for another number, up to ${pageSize.max}. A page past the end is empty. Ties are ordered by id, so that no page repeats or skips an item.`,
      "`startDate` and `endDate` are inclusive and compare with `startedAt`; a date without a time means the whole UTC day.",
    ],
  },
  {
    title: "Quota",
    paragraphs: [
      "Keys share their workspace's requests an hour: 100 (free), 1,000 (pro), 10,000 (enterprise). Every answer to a key has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (Unix seconds). Beyond it: 429 `RATE_LIMIT_EXCEEDED`, with `details.retryAfter` and `Retry-After` in seconds. Sessions and trigger URLs have no quota.",
      "A server answers at most eight reads of a workspace at once, and the requests of one connection one by one. Further reads wait for up to 30 seconds, then get 429, too. A client that reads nothing of its answer for a minute is disconnected. The bodies that a server receives at once take at most a quarter of its memory; beyond that, the client that sends most gets 503 for the body that has been arriving for longest.",
    ],
  },
  {
    title: "Versions",
    paragraphs: [
      "This is version 1: `/api/v1`, which answers at `/v1` too. Fields may be added to answers; when a new version is released, this one stays for at least 12 months.",
    ],
  },
];

/** When each code is returned. */
export const errorDescriptions: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: "The body, the query or a header is not valid. `details` maps each field's path to a message.",
  INVALID_STATUS: "The current state does not allow it. `details.currentStatus` is that state.",
  UNAUTHORIZED: "No key, or one that is malformed, unknown, expired or revoked.",
  FORBIDDEN: "The key's scopes or the member's role do not allow it. `details.required` names what does.",
  NOT_FOUND: "It does not exist, or belongs to another workspace.",
  METHOD_NOT_ALLOWED: "The path does not support the method. `Allow` lists those that it does.",
  CONFLICT:
    "A stale `If-Match`, a duplicate of a unique value in a table, or an `Idempotency-Key` used for another request.",
  CONCURRENCY_LIMIT:
    "A trigger URL or `execute` waited for a run, but as many runs of the flow as its `settings.concurrency` allows were in progress: this run was skipped, or cancelled for a newer one. `details.executionId` is the run.",
  PAYLOAD_TOO_LARGE: "The body is too large.",
  RATE_LIMIT_EXCEEDED:
    "The hourly quota is used up, or too many reads are in progress. `details.retryAfter` and `Retry-After` are seconds.",
  INTERNAL_ERROR: "An error on our side. `details.requestId` identifies the request in the server's log.",
  EXECUTION_FAILED: "The flow of a trigger URL failed. `details.executionId` is the run.",
  SERVICE_UNAVAILABLE:
    "The database cannot be reached, the queue is full, or too much is being sent at once. `Retry-After` is seconds.",
};
