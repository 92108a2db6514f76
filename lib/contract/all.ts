import * as account from "./account.ts";
import * as alerts from "./alerts.ts";
import * as apiKeys from "./api-keys.ts";
import * as auditLog from "./audit-log.ts";
import * as credentials from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import * as executionBulk from "./execution-bulk.ts";
import * as executionIterations from "./execution-iterations.ts";
import * as executionOverview from "./execution-overview.ts";
import * as executionRecent from "./execution-recent.ts";
import * as executionStats from "./execution-stats.ts";
import * as executionStream from "./execution-stream.ts";
import * as executionWaits from "./execution-waits.ts";
import * as executions from "./executions.ts";
import * as expressions from "./expressions.ts";
import * as flowCheck from "./flow-check.ts";
import * as flowCopies from "./flow-copies.ts";
import * as flowTags from "./flow-tags.ts";
import * as flowVersions from "./flow-versions.ts";
import * as flows from "./flows.ts";
import * as members from "./members.ts";
import * as nodeTypes from "./node-types.ts";
import * as savedFilters from "./saved-filters.ts";
import * as schedules from "./schedules.ts";
import * as webhooks from "./webhooks.ts";
import * as workspaces from "./workspaces.ts";

const subjects = [
  flows,
  flowCheck,
  flowCopies,
  flowTags,
  flowVersions,
  executions,
  executionBulk,
  executionStats,
  executionRecent,
  executionOverview,
  executionWaits,
  executionIterations,
  executionStream,
  expressions,
  credentials,
  apiKeys,
  alerts,
  nodeTypes,
  schedules,
  webhooks,
  account,
  savedFilters,
  workspaces,
  members,
  auditLog,
] as const;

type Merged<Subject> = (Subject extends unknown ? (subject: Subject) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Described = Merged<(typeof subjects)[number]>;

/** The operations by their names. */
export type Operations = {
  [Name in keyof Described as Described[Name] extends Endpoint ? Name : never]: Described[Name];
};

export const operations: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  subjects
    .flatMap((subject) => Object.entries(subject))
    .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);

/** Every operation of the API. The tests walk it: against the route files, and against what the server answers. */
export const allEndpoints: readonly Endpoint[] = Object.values(operations);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "path" in value && "scope" in value;
}
