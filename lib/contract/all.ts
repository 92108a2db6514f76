import * as apiKeys from "./api-keys.ts";
import * as credentials from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import * as executionBulk from "./execution-bulk.ts";
import * as executionStats from "./execution-stats.ts";
import * as executionStream from "./execution-stream.ts";
import * as executions from "./executions.ts";
import * as expressions from "./expressions.ts";
import * as flowCopies from "./flow-copies.ts";
import * as flowVersions from "./flow-versions.ts";
import * as flows from "./flows.ts";
import * as nodeTypes from "./node-types.ts";
import * as webhooks from "./webhooks.ts";

const subjects: readonly Record<string, unknown>[] = [
  flows,
  flowCopies,
  flowVersions,
  executions,
  executionBulk,
  executionStats,
  executionStream,
  expressions,
  credentials,
  apiKeys,
  nodeTypes,
  webhooks,
];

/** Every operation of the API. The tests walk it: against the route files, and against what the server answers. */
export const allEndpoints: readonly Endpoint[] = subjects
  .flatMap((subject) => Object.values(subject))
  .filter(isEndpoint);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "path" in value && "scope" in value;
}
